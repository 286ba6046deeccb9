import type { Html } from '#src/core/html/html.ts'

/** The document as the script writes into it. Only markup that `html` has made comes in as markup. */
export class Screen {
  readonly #main = elementOf('view')
  readonly #note = elementOf('note')
  readonly #again = elementOf('again')
  #shown = ''

  /** Shows markup; what has the focus, is open or was typed stays as it is. Whether it is other than before. */
  show(markup: Html): boolean {
    if (markup.text === this.#shown) return false
    const kept = keptOf(this.#main)
    this.#main.innerHTML = markup.text
    this.#shown = markup.text
    restore(this.#main, kept)
    return true
  }

  /** Says something instead of a view. */
  state(text: string): void {
    const state = document.createElement('p')
    state.className = 'state'
    state.textContent = text
    this.#main.replaceChildren(state)
    this.#shown = ''
  }

  /** Says how the view stands, to readers of the screen too. */
  note(text: string): void {
    if (this.#note.textContent !== text) this.#note.textContent = text
  }

  /** Offers to read it again. */
  offerAgain(isOffered: boolean): void {
    this.#again.hidden = !isOffered
  }

  get isEmpty(): boolean {
    return this.#shown === ''
  }
}

function elementOf(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the document has no ${id}`)
  return found
}

interface Kept {
  focused: string | undefined
  open: readonly string[]
  typed: ReadonlyMap<string, string>
}

type Field = HTMLInputElement | HTMLTextAreaElement

const fields = 'input[id], textarea[id]'

/** What a reader has done to it, by ids. */
function keptOf(main: HTMLElement): Kept {
  const active = document.activeElement
  return {
    focused: active && main.contains(active) ? placeOf(main, active) : undefined,
    open: [...main.querySelectorAll('details[open]')].map(({ id }) => id),
    typed: new Map([...main.querySelectorAll<Field>(fields)].map(({ id, value }) => [id, value])),
  }
}

/** The nearest with an id, and which of the things in it one can press it is. */
function placeOf(main: HTMLElement, element: Element): string {
  const owner = element.closest('[id]') ?? main
  return `${owner.id} ${pressable(owner).indexOf(element)}`
}

function pressable(owner: Element): Element[] {
  return [...owner.querySelectorAll('summary, button, a, input, textarea, [tabindex]')]
}

function restore(main: HTMLElement, { focused, open, typed }: Kept): void {
  for (const element of main.querySelectorAll('details')) {
    if (open.includes(element.id)) element.open = true
  }
  for (const field of main.querySelectorAll<Field>(fields)) {
    field.value = typed.get(field.id) ?? field.value
  }
  if (focused === undefined) return
  const [id = '', at = ''] = focused.split(' ')
  const owner = document.getElementById(id)
  const again = owner && (at === '-1' ? owner : pressable(owner)[Number(at)])
  if (again instanceof HTMLElement) again.focus({ preventScroll: true })
}
