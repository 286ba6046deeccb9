import type { Actor } from '#src/core/credentials/actor.ts'
import type { Html } from '#src/core/html/html.ts'
import type { ViewName } from '#src/core/html/view-names.ts'

/** What a view is told besides the answer that it shows. */
export interface Showing {
  /** Milliseconds since the epoch. */
  now: number
  /** The reader's time zone, by its IANA name. */
  zone: string
  /** The input of the call that was answered. */
  input: Readonly<Record<string, unknown>>
  /** The address of a page of this service. @param path as `/approvals/apr_…` */
  link(path: string): string
  /** What an agent is called, where that is known. */
  agent?(id: string): string | undefined
  /** What a task of an agent is called, where that is known. */
  task?(charId: string, taskId: string): string | undefined
  /** Who did something, as the reader knows them: `you`, an address. */
  who?(actor: Actor | undefined): string | undefined
  /** The address of the page that shows the answer of a call, where pages do. */
  page?(call: ViewCall): string | undefined
  /** Marks forms, so that each is done once however often it is sent; absent where nothing is sent. */
  once?: string
  /** Nothing can be called from where it is shown. */
  isStill?: boolean
  /** It was opened from what was shown before, to which its reader can go back. */
  isOpened?: boolean
}

/** A call of an operation. */
export interface ViewCall {
  operation: string
  input: Readonly<Record<string, unknown>>
}

/** When what is shown is read again: by itself at once or from time to time, or when the reader asks for it. */
export type Rereading = 'at_once' | 'while_open' | 'on_request'

/** What shows the answers of some operations to people. @template A any answer of those operations */
export interface View<A> {
  name: ViewName
  title: string
  /** What it shows and what one can do there, in a sentence. */
  description: string
  /** The markup of an answer. It throws for what is no such answer. */
  show(answer: A, at: Showing): Html
  /** What gives the state of what is shown now. */
  again(answer: A, at: Pick<Showing, 'input'>): ViewCall
  rereading(answer: A): Rereading
}
