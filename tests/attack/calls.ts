import type { Target } from './attack-types.ts'
import { count, type Answers } from './sockets.ts'

/** Where answers are counted, and when to stop. */
export interface CallTerms {
  answers: Answers
  signal: AbortSignal
}

/** Sends calls on that many lanes, one after the other on each, until it is told to stop. */
export async function calls(
  atOnce: number,
  { answers, signal }: CallTerms,
  send: () => Promise<Response>,
): Promise<void> {
  const one = async (): Promise<void> => {
    while (!signal.aborted) count(answers, await statusOf(send, signal))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

async function statusOf(send: () => Promise<Response>, signal: AbortSignal): Promise<string> {
  try {
    const response = await send()
    await response.arrayBuffer()
    return String(response.status)
  } catch {
    return signal.aborted ? 'held' : 'cut'
  }
}

export const keyed = ({ key }: Pick<Target, 'key'>): { authorization: string } => {
  return { authorization: `Bearer ${key}` }
}

/** Sends as the attacker. */
export function poster(target: Target, signal?: AbortSignal) {
  return (path: string, body: object): Promise<Response> =>
    fetch(target.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyed(target) },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
}

/** Every account of the attacker as a target of its own. */
export function everyone(target: Target): Target[] {
  return [target, ...target.others.map((one) => ({ ...target, ...one }))]
}

/** Waits until it was done. @throws Error where it was refused */
export async function done(response: Response): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(`not prepared: ${response.status} ${text.slice(0, 500)}`)
}
