import type { SentSession, SessionChange } from '../admission/session.ts'
import type { Html } from './html.ts'

/** What a person is shown. */
export interface View {
  status: number
  title: string
  main: Html
  /** Stands above everything else, such as that this is a test. */
  notice?: string
  /** Where else one may go from here, such as out; stands beside the name of the service. */
  nav?: Html | undefined
  /** The same in other forms, such as Markdown, told to programs. */
  links?: readonly { rel: string; href: string; type: string }[]
  /** Of a page that says to wait. */
  retryAfterSeconds?: number | undefined
  /** Origins, beside our own, to which a form of it may lead. */
  leadsTo?: readonly string[]
  /** What the browser is to keep from now on of who is signed in at it. */
  session?: SessionChange | undefined
}

/** Where a person is sent instead: an address, or the end of the one that they are at. */
export interface Leave {
  goTo: string
  session?: SessionChange | undefined
}

/** Who looks at a page. */
export interface Visitor {
  session: SentSession | undefined
  /** Cut to its network. */
  address: string
  userAgent: string | undefined
  requestId: string
}

/** A page with forms, at one address. */
export interface Screen {
  show(query: URLSearchParams, visitor: Visitor): Promise<View | Leave>
  /** What a form of it does; absent where it has none. */
  submit?: (form: URLSearchParams, visitor: Visitor) => Promise<View | Leave>
}
