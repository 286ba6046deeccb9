import { catalog } from '#src/catalog.ts'
import { isRead, offered } from '#src/core/operation-facts.ts'
import { hostileInputs, type Hostile } from './hostile.ts'
import { blankTemplate, busySchedules, tallPicture } from './payloads.ts'

/** A running server with `ABODE_METRICS=on`, and without rate limits where all is to be measured. */
export interface Target {
  url: string
  /** Of a free account. */
  key?: string
}

/** What one attack came to. */
export interface Stall {
  attack: string
  status: number
  /** The longest time in which the event loop did not turn, by its own watchdog; 0 is below 10 ms. */
  heldMs: number
  /** How much of it the thread worked. */
  cpuMs: number
}

/** The attacks that once held the loop for seconds, each with the status that it is answered with. */
export const loopAttacks: Readonly<Record<string, (target: Target) => Promise<number>>> = {
  '60,000 unknown members': (target) => {
    const names = Array.from({ length: 60_000 }, (_, i) => [`wait_second${i}`, 0] as const)
    return rest(target, '/api/agent-claim', Object.fromEntries(names))
  },
  '200,000 wrong items': (target) => {
    const skills = Array.from({ length: 200_000 }, () => 0)
    return rest(target, '/api/characters/', { name: 'Wrong', skills })
  },
  'twenty simulations at once': async (target) => {
    const id = `busy-${crypto.randomUUID()}`
    await rest(target, '/api/characters/', { id, name: 'Busy', heart: { tasks: busySchedules() } })
    const path = `/api/characters/${id}/tasks/simulate`
    const all = Array.from({ length: 20 }, () => rest(target, path, { days: 31 }))
    return Math.max(...(await Promise.all(all)))
  },
  'a picture of 1 x 24,000,000 pixels': async (target) => {
    const id = `seen-${crypto.randomUUID()}`
    await rest(target, '/api/characters/', { id, name: 'Seen' })
    return rest(target, `/api/characters/${id}/photos`, { file: tallPicture() })
  },
  'a template of names and blanks': async (target) => {
    const id = `told-${crypto.randomUUID()}`
    await rest(target, '/api/characters/', {
      id,
      name: 'Told',
      heart: { tasks: [blankTemplate()] },
    })
    return rest(target, `/api/characters/${id}/tasks/t/run`, { input: 'a' })
  },
}

/** Sends every hostile input of every operation, one after the other, and gives what each held. */
export async function* stalls(
  target: Target,
  isMeant: (hostile: Hostile) => boolean = () => true,
): AsyncGenerator<Stall> {
  for (const op of offered(catalog)) {
    for (const hostile of hostileInputs(op)) {
      if (!isMeant(hostile)) continue
      const { status, heldMs, cpuMs } = await stallOf(target, () => sent(target, hostile))
      const attack = `${hostile.operation} ${hostile.what}${isRead(op) ? ' (read)' : ''}`
      yield { attack, status, heldMs, cpuMs }
    }
  }
}

/** How long a request, or other work, holds the event loop. */
export async function stallOf(
  target: Target,
  work: () => Promise<number>,
): Promise<Omit<Stall, 'attack'>> {
  await longestHold(target)
  const status = await work()
  return { status, ...(await longestHold(target)) }
}

async function sent({ url, key }: Target, { operation, input }: Hostile): Promise<number> {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: operation, params: input }),
    signal: AbortSignal.timeout(60_000),
  })
  const answer = (await response.json().catch(() => ({}))) as { error?: { code?: number } }
  return answer.error?.code ?? response.status
}

async function rest({ url, key }: Target, path: string, body: object): Promise<number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  })
  await response.arrayBuffer()
  return response.status
}

/** The longest hold since the last call: reading the page resets it. */
export async function longestHold({
  url,
}: Pick<Target, 'url'>): Promise<{ heldMs: number; cpuMs: number }> {
  const page = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string): number => {
    const [, value = '0'] = new RegExp(`^abode_loop_${name} (\\S+)$`, 'm').exec(page) ?? []
    return Math.round(Number(value) * 10_000) / 10
  }
  return {
    heldMs: figure('longest_hold_seconds'),
    cpuMs: figure('longest_hold_cpu_seconds'),
  }
}
