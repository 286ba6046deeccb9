import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { viewText } from '#adapters/compose/views.ts'
import type { Sample } from './samples.ts'

/** Where links of the views lead. */
export const origin = 'https://abode.example'

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

/** The result of a tool, as a list for models gives it: once, as text. */
export function resultOf(answer: unknown) {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
}

/** What a host is like, where it is not like most. */
export interface HostOptions {
  capabilities?: Record<string, unknown>
  context?: Record<string, unknown>
  /** The result that it sends, if it is not that of the tool. */
  result?: unknown
}

/** The script of a host's page, with the official bridge in it. */
async function hostScript(): Promise<string> {
  const input = fileURLToPath(new URL('host/page.ts', import.meta.url))
  const made = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await made.generate({ format: 'iife' })
  await made.close()
  return output[0].code
}

/** A host in a tab: what a view asked it for, and what went wrong there. */
export class HostPage {
  readonly page: Page
  readonly calls: Call[] = []
  readonly links: string[] = []
  readonly complaints: string[] = []
  readonly requests: string[] = []
  /** What a call is answered. */
  answers: (call: Call) => unknown = () => ({})

  private constructor(page: Page) {
    this.page = page
  }

  static async open(browser: Browser, options: BrowserContextOptions): Promise<HostPage> {
    const context = await browser.newContext(options)
    const host = new HostPage(await context.newPage())
    await host.#begin()
    return host
  }

  async #begin(): Promise<void> {
    const { page } = this
    page.setDefaultTimeout(30_000)
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('request', (request) => this.requests.push(request.url()))
    await page.exposeFunction('callTool', (call: Call) => {
      this.calls.push(call)
      return this.answers(call)
    })
    await page.exposeFunction('openLink', (url: string) => {
      this.links.push(url)
      return {}
    })
    const body = `<!doctype html><meta name="viewport" content="width=device-width">
      <style>body{margin:0}iframe{display:block;width:100%;border:0}</style><body></body>`
    await page.route('http://host.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    )
    await page.goto('http://host.test/')
    await page.evaluate(await (HostPage.#script ??= hostScript()))
  }

  static #script: Promise<string> | undefined

  /** Shows a view with an answer, as a host does after the call of a tool. */
  async show({ view, input, answer }: Sample, options: HostOptions = {}): Promise<Frame> {
    const { capabilities = { serverTools: {}, openLinks: {} }, result = resultOf(answer) } = options
    const context = { timeZone: 'Europe/Berlin', theme: 'light', ...options.context }
    const html = await viewText(view, origin)
    const shown = JSON.stringify({ html, input, result, capabilities, context })
    await this.page.evaluate(`showView(${shown})`)
    const frame = this.page.frames().at(-1)
    if (!frame) throw new Error('nothing is shown')
    await frame.locator('main h1, main .state').first().waitFor()
    return frame
  }

  /** Tells the view by which light it is looked at. */
  async light(theme: 'light' | 'dark'): Promise<void> {
    await this.page.evaluate(`changeContext({ theme: '${theme}' })`)
    const frame = this.page.frames().at(-1)
    await frame?.locator(`html[style*="color-scheme: ${theme}"]`).waitFor()
  }

  close(): Promise<void> {
    return this.page.context().close()
  }
}
