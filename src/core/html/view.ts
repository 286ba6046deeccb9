import type { Html } from './html.ts'

/** What a person is shown. */
export interface View {
  status: number
  title: string
  main: Html
  /** Stands above everything else, such as that this is a test. */
  notice?: string
  /** Origins, beside our own, to which a form of it may lead. */
  leadsTo?: readonly string[]
}

/** Where a person is sent instead: an address, or the end of the one that they are at. */
export interface Leave {
  goTo: string
}

/** A page with forms, at one address. */
export interface Screen {
  show(query: URLSearchParams): Promise<View>
  /** What a form of it does; absent where it has none. */
  submit?: (form: URLSearchParams) => Promise<View | Leave>
}
