import { randomHex } from '#src/core/ids.ts'
import { password } from './persons.ts'

/** A page as it came. */
export interface Shown {
  status: number
  headers: Headers
  text: string
  /** Where it leads on to; empty where it does not. */
  goesTo: string
  /** What it is called. */
  heading: string
}

/** A person with a browser that keeps its cookies. */
export interface PageVisitor {
  /** What it has kept, as it sends it. */
  cookie: string | undefined
  get(path: string): Promise<Shown>
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Shown>
  /** A request to the API. */
  call(method: string, path: string, headers?: Record<string, string>): Promise<Response>
}

/** A visitor who is new to this server. */
export function pageVisitor(url: string): PageVisitor {
  const visitor: PageVisitor = {
    cookie: undefined,
    get: (path) => asked(path, {}),
    post: (path, form, headers = { origin: url }) =>
      asked(path, { method: 'POST', body: new URLSearchParams(form), headers }),
    async call(method, path, headers = { origin: url }) {
      return fetch(url + path, { method, headers: withCookie(headers) })
    },
  }
  const withCookie = (headers: Record<string, string>): Record<string, string> => ({
    ...headers,
    ...(visitor.cookie !== undefined && { cookie: visitor.cookie }),
  })
  async function asked(
    path: string,
    init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> },
  ): Promise<Shown> {
    const headers = withCookie(init.headers ?? {})
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) {
      const [pair = ''] = set.split(';')
      visitor.cookie = pair.endsWith('=') ? undefined : pair
    }
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      goesTo: response.headers.get('location') ?? '',
      heading: /<h1[^>]*>([^]*?)<\/h1>/.exec(text)?.[1]?.trim() ?? '',
    }
  }
  return visitor
}

/** The value of a field of a form of the page. */
export function fieldOf({ text }: Shown, name: string): string {
  const [input = ''] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text) ?? []
  return /value="([^"]*)"/.exec(input)?.[1] ?? ''
}

export const newEmail = (): string => `${randomHex(8)}@example.org`

/** The registration form, filled in. */
export const registering = (email: string) => ({ action: 'register', email, password })

/** A visitor who has registered at this server. */
export async function registeredVisitor(url: string, email = newEmail()): Promise<PageVisitor> {
  const visitor = pageVisitor(url)
  const { status, text } = await visitor.post('/sign-in', registering(email))
  if (status !== 303) throw new Error(`registration failed: ${status} ${text}`)
  return visitor
}
