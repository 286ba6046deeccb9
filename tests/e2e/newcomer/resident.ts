import { solved } from '#tests/support/members.ts'

/** Joins the Commons and asks a question that stays unanswered. */
export async function askedInCommons(base: string): Promise<void> {
  const { challenge, bits } = await call<{ challenge: string; bits: number }>(base, 'challenge')
  const counter = solved(challenge, bits)
  const { token } = await call<{ token: string }>(base, 'identities', { challenge, counter })
  const words = challenge.slice(-12)
  const question = {
    board: 'ask',
    title: `How is ${words} told from the others?`,
    body: `I have tried all that is written of ${words}, and know no more than before.`,
  }
  await call(base, 'threads', question, token)
}

async function call<T>(base: string, path: string, body?: object, token?: string): Promise<T> {
  const response = await fetch(`${base}/api/commons/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  // The envelope of the Commons, with the documented answer of the operation.
  const { ok, data, error } = (await response.json()) as { ok: boolean; data: T; error: unknown }
  if (!ok) throw new Error(JSON.stringify(error))
  return data
}
