import { authorizer } from '#src/agents/connections/authorizer.ts'
import { noteSettingsGiven } from '#src/agents/secrets/secrets.ts'
import { ConsentNeeded, letIn, type Authorize } from '#src/ports/authorize.ts'
import { OAuthFailure } from '#src/ports/oauth.ts'
import type { Outbound, OutboundAnswer, Sender } from '#src/ports/sender.ts'
import { RunFailure } from '../failure.ts'
import type { Work } from './runtime.ts'

/**
 * What lets the calls of a run in where its agent is connected. Its tokens are noted first, so that nothing of the
 * run shows them.
 * @param noted is called after each
 */
export function authorizeOf(
  { ports, run, task, signal }: Pick<Work, 'ports' | 'run' | 'task' | 'signal'>,
  noted: () => Promise<void> = async () => undefined,
): Authorize {
  return authorizer(ports, {
    charId: run.char_id,
    ownerId: run.owner_id,
    signal,
    async given(token) {
      noteSettingsGiven(task, [token])
      await noted()
    },
  })
}

/** Sends a request, let in by what is known of its address where its headers do not say who sends it. */
export function sentThrough(
  sender: Pick<Sender, 'send'>,
  authorize: Authorize,
  request: Outbound,
): Promise<OutboundAnswer> {
  const { headers = {}, url } = request
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    return sender.send(request)
  }
  return letIn(authorize, url, {
    make: (authorization) =>
      sender.send({
        ...request,
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      }),
    asks: (answer) => ({
      status: answer.status,
      challenge: answer.headers['www-authenticate'],
    }),
  })
}

/** The failure of a run whose call was not let in; undefined for any other cause. */
export function notLetIn(cause: unknown): RunFailure | undefined {
  if (cause instanceof ConsentNeeded) {
    return new RunFailure('needs_consent', cause.message, { cause })
  }
  if (cause instanceof OAuthFailure) {
    return new RunFailure('consent_unusable', cause.message, { cause })
  }
  return undefined
}
