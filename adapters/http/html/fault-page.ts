import type { Refusal } from '#src/core/errors.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { headersOf, type HttpFault } from '../errors.ts'
import type { Reply } from '../reply.ts'
import { pageReplyOf } from './layout.ts'

/** The page shown to people in place of the one they asked for. */
export function faultReply(cause: HttpFault | Refusal, publicUrl: string): Reply {
  const { title, main } = saying(cause)
  return pageReplyOf({ status: cause.status, title, main }, publicUrl, headersOf(cause))
}

/** Hints are for programs, except of what a person has to ask the operator about. */
const toldToPersons: readonly string[] = ['internal_error', 'account_suspended']

function saying({ code, message, hint }: HttpFault | Refusal): { title: string; main: Html } {
  if (code === 'bad_address') {
    const main = html`<p>A part of it was lost or changed on its way. ${copyIt}</p>`
    return { title: 'This address is broken', main }
  }
  if (code === 'path_not_found') {
    const main = html`<p>The address may not be whole. ${copyIt}</p>`
    return { title: 'There is nothing here', main }
  }
  const main = html`<p>${message} ${toldToPersons.includes(code) && hint}</p>`
  return { title: 'That did not work', main }
}

const copyIt = 'Copy the whole link from where you have it, and open it again.'
