import type { Caller } from '../admission/caller.ts'
import type { Upload } from '../input/upload.ts'
import type { SentSession, SessionChange } from '../admission/session.ts'
import type { Html } from './html.ts'

/** A page that a person is shown. */
export interface View {
  status: number
  title: string
  main: Html
  /** Shown above everything else, for example that this is a test. */
  notice?: string
  /** The heading, where it is more than the title as text; null where it is in the rest of the page. */
  heading?: Html | null | undefined
  /** Links next to the name of the service, such as the one to sign out. */
  nav?: Html | undefined
  /** What it looks like, on top of the style that all pages share. */
  look?: Look | undefined
  /** The same page in other forms, such as Markdown, for programs. */
  links?: readonly { rel: string; href: string; type?: string; title?: string }[]
  /** What search engines are told of it. */
  description?: string | undefined
  /** The same for programs that read pages, in the words of schema.org. */
  data?: object | undefined
  /** That it is the same for everyone; absent where it is made for who asks. */
  shared?: Shared | undefined
  /** How long to wait, on a page that asks the person to. */
  retryAfterSeconds?: number | undefined
  /** Whether it asks devices for passkeys, by the script for that. */
  asksDevices?: boolean | undefined
  /** Whether it subscribes its browser to what a person is told, by the script for that. */
  subscribes?: boolean | undefined
  /** Origins, in addition to our own, to which its form may lead. */
  leadsTo?: readonly string[]
  /** The session token that the browser keeps from now on. */
  session?: SessionChange | undefined
  /** What it keeps of a sign-in at a provider until the person comes back. */
  attempt?: SessionChange | undefined
}

/** How long what is the same for everyone is given again. */
export interface Shared {
  /** By browsers and caches on the way. */
  freshSeconds: number
  /** By the server itself. */
  keptSeconds: number
  /** Whether crawlers list it. */
  isListed: boolean
}

/** A document for programs, such as a feed, at an address among pages. */
export interface Published {
  document: string
  type: string
  shared: Shared
}

/** A file that is made while it is sent, at an address among pages. */
export interface Download {
  pieces: AsyncIterable<string>
  type: string
  /** What it is called where it is saved: letters, digits, dots and hyphens. */
  name: string
}

/** A look that several pages share. */
export interface Look {
  /** The class of the body, by which the style knows these pages. */
  name: string
  style: string
  /** Whether parts of the page follow what happens, by the script of the pages. */
  isLive: boolean
}

/** A redirect instead of a page: to an address, or to one relative to the current page. */
export interface Leave {
  goTo: string
  session?: SessionChange | undefined
  attempt?: SessionChange | undefined
}

/** The visitor of a page. */
export interface Visitor {
  session: SentSession | undefined
  /** What the browser has kept of a sign-in at a provider. */
  attempt: string | undefined
  /** Cut to its network. */
  address: string
  userAgent: string | undefined
  requestId: string
  /** The time zone of the browser by its IANA name; UTC where it is not known. */
  zone: string
}

/** The field of a form that holds files. */
export interface FilesField {
  member: string
  /** How many files it holds at most. */
  most: number
}

/** A page with forms, at one address. */
export interface Screen {
  show(query: URLSearchParams, visitor: Visitor): Promise<View | Leave | Published | Download>
  /** Whether it shows everyone the same. */
  isShared?: boolean
  /** The bytes of its form at most, encoded; by default enough for names, a password and an action. */
  formBytesAtMost?: number
  /** The field of its form that holds files, and how many at most; absent if it takes none. */
  files?: FilesField
  /** Who sends a form, where that decides how much of it is read: strangers send little, and no files. */
  sender?: (visitor: Visitor) => Promise<Caller | undefined>
  /** Handles its form; absent if the page has none. */
  submit?: (
    form: URLSearchParams,
    visitor: Visitor,
    files: readonly Upload[],
  ) => Promise<View | Leave>
}
