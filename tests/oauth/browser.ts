/** A page as it came, or where it leads on to. */
export interface Shown {
  status: number
  headers: Headers
  text: string
  /** Where it leads on to; empty where it does not. */
  goesTo: string
}

/** A browser that keeps its cookies, shows no redirect by itself, and says where its forms come from. */
export class Browser {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  get(address: string): Promise<Shown> {
    return this.#ask(address, {})
  }

  /** What a call of the API answers in this browser. */
  call(address: string): Promise<Shown> {
    return this.#ask(address, { headers: { accept: 'application/json' } })
  }

  post(
    address: string,
    form: Record<string, string> | [string, string][],
    headers: Record<string, string> = { origin: new URL(this.#url).origin },
  ): Promise<Shown> {
    return this.#ask(address, { method: 'POST', body: new URLSearchParams(form), headers })
  }

  /** What it has kept. */
  cookieOf(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** What another site may have set, or the person removed. */
  forget(name: string): void {
    this.#cookies.delete(name)
  }

  /** Follows what leads on within the service, to the first page that it shows, or to the program. */
  async follow(shown: Shown): Promise<Shown> {
    let last = shown
    for (let i = 0; i < 10 && last.goesTo !== ''; i++) {
      if (!URL.parse(last.goesTo, this.#url)?.href.startsWith(this.#url)) return last
      last = await this.get(last.goesTo)
    }
    return last
  }

  async #ask(
    address: string,
    init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> },
  ): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...init.headers, ...(cookie !== '' && { cookie }) }
    const url = new URL(address, this.#url)
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(set)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      goesTo: response.headers.get('location') ?? '',
    }
  }
}
