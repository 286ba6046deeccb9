import { isElement, type PageDocument, type PageElement, type PageNode } from './dom.ts'

/** The callbacks for each node of a page. */
export interface Visit {
  /** @returns whether to descend into it */
  enter(node: PageNode): boolean
  /** Called for each entered element, after its content. */
  leave(element: PageElement): void
}

/** Walks through a page in the order of its text, without recursion, because pages may be deep. */
export function walk(document: PageDocument, visit: Visit): void {
  // In this library the doctype node does not link to its siblings.
  for (const root of Array.from(document.childNodes)) walkFrom(root, visit)
}

function walkFrom(root: PageNode, visit: Visit): void {
  let node: PageNode = root
  for (;;) {
    const isEntered = visit.enter(node)
    const first = isEntered ? node.firstChild : null
    if (first) {
      node = first
      continue
    }
    if (isEntered && isElement(node)) visit.leave(node)
    while (node !== root && !node.nextSibling) {
      const parent: PageNode | null = node.parentNode
      if (!parent) return
      node = parent
      if (isElement(node)) visit.leave(node)
    }
    if (node === root || !node.nextSibling) return
    node = node.nextSibling
  }
}
