import * as z from 'zod'
import { OutboundFailure, type Outbound, type OutboundAnswer } from '#src/ports/sender.ts'
import type { Authorize } from '#src/ports/authorize.ts'
import { notLetIn, sentThrough } from '#src/runs/runtimes/authorize.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { taint } from '#src/runs/output/taint.ts'
import { statusWords } from '#src/core/text/address.ts'
import type { Desk } from '../desk.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'
import { readable } from '../readable.ts'

/** Pages of the open internet, by the guarded fetch. */
export function webTools({ work }: Desk): RunTool[] {
  return [
    ownTool(
      'web_fetch',
      'Reads the page at an address of the open internet, as text.',
      z.strictObject({ url: z.string().max(2000) }),
      async ({ url }, signal) => {
        const accept = 'text/markdown, text/plain, text/html;q=0.9, application/json, */*;q=0.1'
        const answer = await sent(work, { method: 'GET', url, headers: { accept }, signal })
        taint(work.run, { kind: 'page', address: url })
        const type = answer.headers['content-type'] ?? ''
        const text = readable(answer.body, type)
        if (answer.status < 200 || answer.status > 299) {
          throw new ToolFault(statusWords(answer.status))
        }
        return text
      },
    ),
  ]
}

/**
 * What the guarded fetch brings back.
 * @param authorize what lets the call in; by default it says nothing of who sends it
 * @throws ToolFault with its words where it brings nothing
 */
export async function sent(
  { ports }: Work,
  request: Outbound,
  authorize?: Authorize,
): Promise<OutboundAnswer> {
  try {
    return await (authorize
      ? sentThrough(ports.sender, authorize, request)
      : ports.sender.send(request))
  } catch (cause) {
    request.signal?.throwIfAborted()
    const theirs = cause instanceof OutboundFailure ? cause : notLetIn(cause)
    throw theirs ? new ToolFault(theirs.message, { cause }) : cause
  }
}
