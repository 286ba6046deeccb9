import type { App } from '@modelcontextprotocol/ext-apps'
import type { Showing, View, ViewCall } from '#src/views/view.ts'
import { givenBy, type Given, type ToolResult } from './answer.ts'
import { sentBy, type Sent } from './press.ts'
import { Screen, type Place } from './screen.ts'
import { dress, zoneOf } from './theme.ts'

/** A host that has not answered by then does not speak this protocol. */
const answersWithinMs = 10_000
const callEndsWithinMs = 60_000
/** How long to wait before reading again: longer each time that nothing has changed. */
const waits = { shortestMs: 3_000, longestMs: 20_000 }

const noHost =
  'Nothing answered: this needs a host that shows MCP Apps. The answer of the tool, as text, has it all.'
const unreadable =
  'The host sent something that this view cannot show. The answer of the tool, as text, has it all.'

/** What was shown, and where its reader was in it. */
interface Before {
  answer: object
  input: Readonly<Record<string, unknown>>
  place: Place | undefined
}

/** A view in its host: what it was given, and what a reader does. Everything it does, it asks the host for. */
export class Shown {
  readonly #app: App
  readonly #view: View<object>
  readonly #root: HTMLElement
  readonly #screen = new Screen()
  #input: Readonly<Record<string, unknown>> = {}
  #answer: object | undefined
  /** What was shown before, to go back to. */
  readonly #before: Before[] = []
  #waitMs = waits.shortestMs
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(app: App, view: View<object>, root: HTMLElement) {
    this.#app = app
    this.#view = view
    this.#root = root
  }

  /** Meets the host, and shows what it sends. Never rejects: it says what went wrong. */
  async begin(): Promise<void> {
    const app = this.#app
    app.ontoolinput = ({ arguments: input }) => {
      this.#input = input ?? {}
    }
    app.ontoolresult = (result) => this.#take(result)
    app.ontoolcancelled = () => {
      if (this.#screen.isEmpty) this.#screen.state('The call was cancelled before it was answered.')
    }
    app.onhostcontextchanged = (changed) => {
      dress(this.#root, changed)
      this.#draw()
    }
    app.onteardown = () => {
      clearTimeout(this.#timer)
      return {}
    }
    Object.assign(app, { onerror: () => this.#screen.isEmpty && this.#screen.state(unreadable) })
    this.#screen.note('Waits for the host.')
    try {
      await app.connect(undefined, { timeout: answersWithinMs })
    } catch {
      this.#screen.note(noHost)
      return
    }
    dress(this.#root, app.getHostContext() ?? {})
    this.#root.dataset['calls'] = this.#mayCall ? 'yes' : 'no'
    if (this.#screen.isEmpty) this.#screen.note('Waits for the answer of the tool.')
    document.addEventListener('click', (event) => this.#pressed(event))
    document.addEventListener('visibilitychange', () => this.#plan())
  }

  get #mayCall(): boolean {
    return this.#app.getHostCapabilities()?.serverTools !== undefined
  }

  #take(result: ToolResult): void {
    const given = givenBy(result)
    if ('problem' in given) {
      this.#screen.state(given.problem)
      this.#screen.note('')
      return
    }
    this.#show(given)
    if (this.#answer && this.#mayCall && this.#view.rereading(this.#answer) === 'at_once') {
      void this.#again()
    }
  }

  /** The one place where an answer, which may be anything, becomes one of this view: `show` throws for others. */
  #show({ answer }: { answer: object }): void {
    this.#answer = answer
    this.#draw()
  }

  /** @param place where the focus was when it was shown before */
  #draw(place?: Place): void {
    clearTimeout(this.#timer)
    if (!this.#answer) return
    try {
      const isOther = this.#screen.show(this.#view.show(this.#answer, this.#showing()), place)
      this.#waitMs = isOther ? waits.shortestMs : Math.min(this.#waitMs * 1.5, waits.longestMs)
      this.#screen.offerAgain(this.#mayCall)
      this.#screen.note(
        this.#mayCall ? '' : 'This host lets views call no tools: ask your agent instead.',
      )
      this.#plan()
    } catch {
      this.#answer = undefined
      this.#screen.state(unreadable)
      this.#screen.offerAgain(false)
    }
  }

  #showing(): Showing {
    const origin = this.#root.dataset['origin'] ?? ''
    const zone = zoneOf(this.#app.getHostContext())
    return {
      now: Date.now(),
      zone,
      input: this.#input,
      link: (path) => origin + path,
      isStill: !this.#mayCall,
      isOpened: this.#before.length > 0,
    }
  }

  /** Reads it again after a while, as long as someone may look and something may change. */
  #plan(): void {
    clearTimeout(this.#timer)
    if (!this.#answer || !this.#mayCall || document.hidden) return
    if (this.#view.rereading(this.#answer) !== 'while_open') return
    this.#timer = setTimeout(() => void this.#again(), this.#waitMs)
  }

  /** Reads what is shown again. */
  async #again(): Promise<void> {
    if (!this.#answer) return
    const given = await this.#call(this.#view.again(this.#answer, { input: this.#input }))
    if ('answer' in given) this.#show(given)
    else this.#screen.note(`It is as it was before: ${given.problem}`)
  }

  async #call({ operation, input }: ViewCall): Promise<Given> {
    try {
      const name = operation.replaceAll('.', '_')
      const result = await this.#app.callServerTool(
        { name, arguments: { ...input } },
        { timeout: callEndsWithinMs },
      )
      return givenBy(result)
    } catch {
      return { problem: 'The host did not let it be called.' }
    }
  }

  #pressed(event: Event): void {
    const target = event.target instanceof Element ? event.target : undefined
    const link = target?.closest('a[href]')
    if (link instanceof HTMLAnchorElement) {
      event.preventDefault()
      void this.#open(link.href)
    } else if (target?.closest('#again')) {
      void this.#again()
    } else if (target?.closest('[data-back]')) {
      const before = this.#before.pop()
      if (!before) return
      this.#answer = before.answer
      this.#input = before.input
      this.#draw(before.place)
    } else {
      const sent = sentBy(target)
      if (!sent) return
      event.preventDefault()
      void this.#do(sent)
    }
  }

  async #open(url: string): Promise<void> {
    const { isError } = await this.#app.openLink({ url }).catch(() => ({ isError: true }))
    this.#screen.note(isError ? `The host opened nothing. The page is ${url}` : '')
  }

  /** Does what a button says, once: it waits for the answer. */
  async #do({ call, shows, button }: Sent): Promise<void> {
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    const given = await this.#call(call)
    button.ariaBusy = null
    if ('problem' in given) this.#screen.note(given.problem)
    else if (shows === 'again') await this.#again()
    else {
      const { place } = this.#screen
      if (this.#answer) this.#before.push({ answer: this.#answer, input: this.#input, place })
      this.#input = call.input
      this.#show(given)
      this.#screen.begin()
    }
  }
}
