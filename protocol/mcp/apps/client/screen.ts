import type { Html } from '#src/core/html/html.ts'

/** The document as the script writes into it. Only markup that `html` has made comes in as markup. */
export class Screen {
  readonly #main = elementOf('view')
  readonly #note = elementOf('note')
  readonly #again = elementOf('again')
  #shown = ''

  /**
   * Shows markup; what has the focus, is open or was typed stays as it is. Whether it is other than before.
   * @param place what gets the focus, where that was somewhere else before
   */
  show(markup: Html, place?: Place): boolean {
    if (markup.text === this.#shown) return false
    const kept = keptOf(this.#main)
    this.#main.innerHTML = markup.text
    this.#shown = markup.text
    restore(this.#main, place ? { ...kept, focused: place } : kept)
    return true
  }

  /** What has the focus. */
  get place(): Place | undefined {
    return keptOf(this.#main).focused
  }

  /** Brings its top into sight, unless a reader has something in it before them. */
  begin(): void {
    if (document.activeElement === this.#main) this.#main.scrollIntoView()
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

/** Where the focus is: the nearest with an id, and which of the things in it one can press. */
export interface Place {
  id: string
  at: number
  /** What a button does: another one in its place is not meant. */
  does: string | undefined
}

interface Kept {
  focused: Place | undefined
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

function placeOf(main: HTMLElement, element: Element): Place {
  const owner = element.closest('[id]') ?? main
  return { id: owner.id, at: pressable(owner).indexOf(element), does: doneBy(element) }
}

function pressable(owner: Element): Element[] {
  return [...owner.querySelectorAll('summary, button, a, input, textarea, [tabindex]')]
}

function doneBy(element: Element): string | undefined {
  if (!(element instanceof HTMLButtonElement)) return undefined
  const { form, value, textContent } = element
  const sent = [...(form?.querySelectorAll<HTMLInputElement>('input[type=hidden]') ?? [])]
  // Of what changes nothing, such as the way to later days, another one in its place is meant.
  const members = form?.dataset['shows'] === 'again' ? sent : sent.slice(0, 1)
  return [...members.map((input) => input.value), value, textContent].join(' ')
}

function restore(main: HTMLElement, { focused, open, typed }: Kept): void {
  for (const element of main.querySelectorAll('details')) {
    if (open.includes(element.id)) element.open = true
  }
  for (const field of main.querySelectorAll<Field>(fields)) {
    field.value = typed.get(field.id) ?? field.value
  }
  if (!focused) return
  const owner = document.getElementById(focused.id)
  const again = owner && pressable(owner)[focused.at]
  // Where a button is gone, as those of what was decided, the next Tab goes on near it, and no Enter presses another.
  focusOn(again && doneBy(again) === focused.does ? again : (owner ?? main))
}

function focusOn(element: Element): void {
  if (!(element instanceof HTMLElement)) return
  element.focus({ preventScroll: true })
  if (document.activeElement === element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
