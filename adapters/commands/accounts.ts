import { mustBeClosable, writesToClose } from './operated/close.ts'
import type { Account } from '#src/accounts/account.ts'
import { limiter } from '#src/core/admission/limits.ts'
import { quotas } from '#src/core/counts/quotas.ts'
import { Refusal } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import { quotaUse } from '#src/runs/overview/quota-use.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'
import { readConfig } from '#adapters/config/read.ts'
import { Misused, noneOf, numberOf, parsed } from './arguments.ts'
import { calledAs } from './called.ts'
import { complained, complainedOfSettings, run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'

const limits = { standard: 100, most: 1000 }
const commands = ['list', 'show', 'suspend', 'resume', 'close', 'help'] as const
type Command = (typeof commands)[number]
const options = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  'waive-balance': { type: 'boolean' },
  suspended: { type: 'boolean' },
  limit: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const usage = `${calledAs('accounts')} list [--suspended] [--limit 100]
${calledAs('accounts')} show <account>
${calledAs('accounts')} suspend <account>
${calledAs('accounts')} resume <account>
${calledAs('accounts')} close <account> --yes [--waive-balance]

  --json           prints one line of JSON
  --yes            closes it without a question: what it has is deleted, and cannot be brought back
  --waive-balance  gives the money in its wallet up

show has its plan, and what it uses of each quota. Every credential of a suspended account is refused (403
account_suspended), and nothing of it fires. Its runs wait, and go on once it is resumed. An account is named by its id,
its name, or the e-mail address of the person who holds it. The store is found by the settings of the server (DATA_DIR,
or MONGODB_URI with ABODE_MASTER_KEY), which may run meanwhile.
`

await run(accounts)

/** The operator's command, from its arguments to its exit code. */
async function accounts(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = askedFor(words)
    if (asked.command === 'help') return said(usage)
    const store = await storeOfServer(env)
    try {
      return asked.command === 'list' ? await list(store, asked) : await one(store, asked, env)
    } finally {
      await store.close()
    }
  } catch (cause) {
    if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usage)
    if (cause instanceof Refusal) return complained(exits.refused, cause.message)
    if (cause instanceof Unavailable) {
      return complained(
        exits.unavailable,
        'The store does not answer. See with show what was done.',
      )
    }
    const exit = complainedOfSettings(cause)
    if (exit === undefined) throw cause
    return exit
  }
}

interface Asked {
  command: Command
  name: string
  isJson: boolean
  isSure: boolean
  isGivenUp: boolean
  isSuspended: boolean
  limit: number
}

/** @throws Misused */
function askedFor(words: readonly string[]): Asked {
  const { values, positionals } = parsed(words, options)
  const [word = 'list', name = '', ...more] = positionals
  const command = values.help ? 'help' : commands.find((known) => known === word)
  if (!command) throw new Misused(noneOf('command', word, commands))
  const takesNone = command === 'list' || command === 'help'
  if (!values.help && (more.length > 0 || takesNone !== (name === ''))) {
    throw new Misused(takesNone ? `${command} takes nothing.` : `${command} takes one account.`)
  }
  return {
    command,
    name,
    isJson: values.json === true,
    isSure: values.yes === true,
    isGivenUp: values['waive-balance'] === true,
    isSuspended: values.suspended === true,
    limit: numberOf('--limit', values.limit, limits),
  }
}

async function list(store: Store, { isJson, isSuspended, limit }: Asked): Promise<Exit> {
  const filter = isSuspended ? { suspended_at: { $exists: true } } : {}
  const found = await store.accounts.find(filter, { sort: { id: -1 }, limit })
  const items = found.map(shownOf)
  if (isJson) return said(`${JSON.stringify({ items })}\n`)
  return said(items.map((item) => `${lineOf(item)}\n`).join('') || 'There are no accounts.\n')
}

async function one(store: Store, asked: Asked, env: NodeJS.ProcessEnv): Promise<Exit> {
  const [found, ...others] = await named(store, asked.name)
  if (!found || others.length > 0) {
    const why = found
      ? 'Several accounts are called that: give an id.'
      : 'There is no such account.'
    return complained(exits.refused, why)
  }
  if (asked.command === 'close' && !asked.isSure) {
    return complained(exits.refused, lineOf(shownOf(found)), 'Nothing was done: give --yes.')
  }
  await changed(store, found, asked)
  const account = (await store.accounts.get(found.id)) ?? found
  const shown = shownOf(account)
  if (asked.command !== 'show') {
    return said(asked.isJson ? `${JSON.stringify(shown)}\n` : `${lineOf(shown)}\n`)
  }
  const used = await usedBy(store, account, env)
  if (asked.isJson) return said(`${JSON.stringify({ ...shown, quotas: used })}\n`)
  const lines = used.map(
    ({ name, used: count, limit }) => `  ${name.padEnd(17)} ${count} of ${limit ?? 'any number'}\n`,
  )
  return said(`${lineOf(shown)}\n  plan ${shown.plan}\n${lines.join('')}`)
}

async function changed(store: Store, account: Account, asked: Asked): Promise<void> {
  const { id, suspended_at } = account
  const now = systemClock.now()
  // One that is so already keeps the time since when it is.
  if (asked.command === 'suspend' && suspended_at === undefined) {
    await store.accounts.update({ id }, { $set: { suspended_at: timestamp(now) } })
  } else if (asked.command === 'resume' && suspended_at !== undefined) {
    await store.accounts.update({ id }, { $unset: { suspended_at: true } })
  } else if (asked.command === 'close') {
    mustBeClosable(account)
    await store.commit(await writesToClose(store, account, asked.isGivenUp, now))
  }
}

function usedBy(store: Store, { id, holder_id }: Account, env: NodeJS.ProcessEnv) {
  const counted = quotas(store, limiter(store, systemClock), readConfig(env).quotas, systemClock)
  const caller = { accountId: id, claimed: holder_id !== null }
  return quotaUse({ store, quotas: counted, caller })
}

async function named(store: Store, name: string): Promise<Account[]> {
  const account = await store.accounts.get(name)
  if (account) return [account]
  const persons = await store.persons.find({ email: name.toLowerCase() }, { limit: 2 })
  const held = persons.map(({ id }) => id)
  if (held.length > 0) return store.accounts.find({ holder_id: { $in: held } }, { limit: 2 })
  return store.accounts.find({ name }, { limit: 2 })
}

function shownOf(account: Account) {
  const { id, name, kind, plan, holder_id, created_at, suspended_at, closed_at } = account
  const state = closed_at ? 'closed' : suspended_at ? 'suspended' : 'active'
  const dates = { created_at, suspended_at: suspended_at ?? null, closed_at: closed_at ?? null }
  return { id, name, kind, plan, state, is_claimed: holder_id !== null, ...dates }
}

function lineOf({ id, name, state, is_claimed, created_at }: ReturnType<typeof shownOf>): string {
  const claimed = is_claimed ? 'claimed' : 'unclaimed'
  return `${id}  ${state.padEnd(9)}  ${claimed.padEnd(9)}  made ${created_at}  ${JSON.stringify(name ?? '')}`
}
