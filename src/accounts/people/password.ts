import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '#src/core/errors.ts'
import type { Settings } from '#src/core/settings.ts'

const hashed = promisify(argon2)

// The minimum that OWASP recommends for Argon2id; each takes some 20 ms of a core, off the event loop.
const memoryKiB = 19_456
const passes = 2
const lanes = 1
const tagBytes = 32
const saltBytes = 16

const atOnce = 2
const waitingAtMost = 64

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** @throws Refusal `passwords_off` where persons sign in by providers alone */
export function mustHavePasswords({
  signIn,
  publicUrl,
}: Pick<Settings, 'signIn' | 'publicUrl'>): void {
  if (signIn.passwords) return
  const names = signIn.providers.map(({ name }) => name).join(' or ')
  refuse('passwords_off', 'Persons do not sign in by password on this server.', {
    hint: `In a browser, at ${publicUrl}/sign-in, they sign in with ${names}.`,
  })
}

/** The stored form of a password: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. @throws Refusal `unavailable` */
export async function hashOf(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await inTurn(() => tagOf(password, salt, { memoryKiB, passes, lanes }))
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${bare(salt)}$${bare(tag)}`
}

/**
 * Whether the password matches the stored form. Without one, as for an unknown person, it takes as
 * long and is false. @throws Refusal `unavailable` while too many wait
 */
export async function isPassword(
  password: string,
  kept: string | null | undefined,
): Promise<boolean> {
  const [, m, t, p, salt = '', tag = ''] = form.exec(kept ?? unknownHash) ?? []
  const cost = { memoryKiB: Number(m), passes: Number(t), lanes: Number(p) }
  const found = await inTurn(() => tagOf(password, Buffer.from(salt, 'base64'), cost))
  const expected = Buffer.from(tag, 'base64')
  return found.length === expected.length && timingSafeEqual(found, expected) && kept != null
}

const unknownHash = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${bare(Buffer.alloc(saltBytes))}$${bare(Buffer.alloc(tagBytes))}`

interface Cost {
  memoryKiB: number
  passes: number
  lanes: number
}

async function tagOf(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  return hashed('argon2id', {
    message: Buffer.from(password),
    nonce,
    parallelism: cost.lanes,
    tagLength: tagBytes,
    memory: cost.memoryKiB,
    passes: cost.passes,
  })
}

function bare(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

let running = 0
const waiting: (() => void)[] = []

/** A few at a time: each takes memory, and a thread of the pool that also reads and syncs files. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) {
      refuse('unavailable', 'Too many people are signing in at the moment.', {
        retryAfterSeconds: 2,
      })
    }
    await new Promise<void>((resolve) => void waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // A waiter takes over the place directly.
    if (next) next()
    else running -= 1
  }
}
