import {
  invitationDays,
  invitationUses,
  newInvitation,
  type StoredInvitation,
} from '#src/accounts/invitation.ts'
import { digest } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { complained, complainedOfSettings, run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'
import { Misused } from './arguments.ts'
import { askedFor, usageOf, type Asked } from './invitations/arguments.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'

/** The length to which lists shorten an invitation's id: enough to name it by. */
const idLength = 12
const shownAtMost = 1000
const bounds = { uses: invitationUses, days: invitationDays }

await run(invite)

/** The operator's command, from its arguments to its exit code. */
async function invite(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = askedFor(words, bounds)
    if (asked.command === 'help') return said(usageOf(bounds))
    const store = await storeOfServer(env)
    try {
      return await done(store, asked, env)
    } finally {
      await store.close()
    }
  } catch (cause) {
    if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usageOf(bounds))
    if (cause instanceof Unavailable) {
      return complained(
        exits.unavailable,
        'The store does not answer. Nothing is known to be done.',
      )
    }
    const exit = complainedOfSettings(cause)
    if (exit === undefined) throw cause
    return exit
  }
}

async function done(
  store: Store,
  asked: Exclude<Asked, { command: 'help' }>,
  env: NodeJS.ProcessEnv,
): Promise<Exit> {
  const now = systemClock.now()
  if (asked.command === 'list') {
    const all = await store.invitations.find({}, { sort: { created_at: -1 }, limit: shownAtMost })
    const shown = all.map((one) => shownOf(one, now))
    if (asked.isJson) return said(`${JSON.stringify({ items: shown })}\n`)
    return said(shown.map((one) => `${lineOf(one)}\n`).join('') || 'There are no invitations.\n')
  }
  if (asked.command === 'revoke') {
    const [found, ...others] = await named(store, asked.code)
    if (!found || others.length > 0) {
      const why = found ? 'Several invitations have such an id.' : 'There is no such invitation.'
      return complained(exits.refused, why)
    }
    await store.invitations.delete({ id: found.id })
    const revoked = { revoked: found.id.slice(0, idLength) }
    if (asked.isJson) return said(`${JSON.stringify(revoked)}\n`)
    return said(
      `${revoked.revoked} admits no one any more. Those who used it keep what they have.\n`,
    )
  }
  const { uses, days, isJson } = asked
  const { code, record } = newInvitation({ uses, days }, now)
  await store.invitations.insert(record)
  const { id, expires_at } = shownOf(record, now)
  if (isJson) return said(`${JSON.stringify({ id, uses, expires_at, code })}\n`)
  if ((env['ABODE_SIGN_UP'] ?? 'open') !== 'invited') {
    process.stderr.write(
      'The settings here do not say ABODE_SIGN_UP=invited: only then is it asked for.\n',
    )
  }
  const howOften = uses === 1 ? 'one use' : `${uses} uses`
  return said(
    `An invitation for ${howOften}, good until ${expires_at}. It is shown this once:\n${code}\n`,
  )
}

/** Finds invitations by code, or by as much of the id as the list shows. */
async function named(store: Store, text: string): Promise<StoredInvitation[]> {
  const byCode = await store.invitations.get(digest(text))
  if (byCode || !/^[0-9a-f]{12,64}$/.test(text)) return byCode ? [byCode] : []
  // The ids with this prefix.
  return store.invitations.find({ id: { $gte: text, $lte: `${text}g` } }, { limit: 2 })
}

interface Shown {
  id: string
  state: 'open' | 'used' | 'expired'
  uses: number
  uses_left: number
  created_at: string
  expires_at: string
}

function shownOf(
  { id, uses, uses_left, created_at, expires_at }: StoredInvitation,
  now: Date,
): Shown {
  const state = uses_left < 1 ? 'used' : expires_at <= timestamp(now) ? 'expired' : 'open'
  return { id: id.slice(0, idLength), state, uses, uses_left, created_at, expires_at }
}

function lineOf({ id, state, uses, uses_left, created_at, expires_at }: Shown): string {
  return `${id}  ${state.padEnd(7)}  ${uses_left} of ${uses} left, made ${created_at}, until ${expires_at}`
}
