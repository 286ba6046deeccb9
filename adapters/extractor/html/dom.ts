/** The part of a page's node that is used here. */
export interface PageNode {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly parentNode: PageNode | null
  remove(): void
}

export interface PageElement extends PageNode {
  readonly localName: string
  readonly textContent: string | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelector(selector: string): PageElement | null
}

export interface PageDocument extends PageNode {
  readonly childNodes: ArrayLike<PageNode>
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement>
}

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === 1
}

/** The name of an element in lower case: XML keeps the case as written. */
export function nameOf(element: PageElement): string {
  return element.localName.toLowerCase()
}
