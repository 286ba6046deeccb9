import { mustBeClosable, writesToClose } from './operated/close.ts'
import type { Account } from '#src/accounts/account.ts'
import { givePlan, giveQuotas, resume, suspend } from '#src/accounts/operated/change.ts'
import { freePlan, ownerOf, type QuotaTable } from '#src/core/counts/quota-table.ts'
import { quotaUse } from '#src/runs/overview/quota-use.ts'
import type { Store } from '#src/ports/store.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'
import { readConfig } from '#adapters/config/read.ts'
import { accountsAsked, accountsUsage, type AccountsAsked } from './accounts/arguments.ts'
import { complained, Refused, run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'
import { exitOf } from './operated/fault.ts'
import { accountNamed } from './operated/named.ts'
import { operatedPorts, type OperatedPorts } from './operated/ports.ts'

await run(accounts)

/** The operator's command, from its arguments to its exit code. */
async function accounts(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = accountsAsked(words)
    if (asked.command === 'help') return said(accountsUsage)
    const store = await storeOfServer(env)
    const config = readConfig(env)
    const ports = operatedPorts(store, config)
    try {
      if (asked.command === 'list') return await list(store, asked)
      return await one(ports, asked, config.quotas)
    } finally {
      await ports.settle()
      await store.close()
    }
  } catch (cause) {
    return exitOf(cause, accountsUsage, 'show')
  }
}

async function list(store: Store, { isJson, isSuspended, limit }: AccountsAsked): Promise<Exit> {
  const filter = isSuspended ? { suspended_at: { $exists: true } } : {}
  const found = await store.accounts.find(filter, { sort: { id: -1 }, limit })
  const items = found.map(shownOf)
  if (isJson) return said(`${JSON.stringify({ items })}\n`)
  return said(items.map((item) => `${lineOf(item)}\n`).join('') || 'There are no accounts.\n')
}

async function one(
  ports: OperatedPorts,
  asked: AccountsAsked,
  { plans = {} }: QuotaTable,
): Promise<Exit> {
  const { store } = ports
  const found = await accountNamed(store, asked.name)
  if (asked.command === 'close' && !asked.isSure) {
    return complained(exits.refused, lineOf(shownOf(found)), 'Nothing was done: give --yes.')
  }
  if (asked.command === 'plan') mustBePlan(asked.plan, Object.keys(plans))
  await change(ports, found, asked)
  const account = (await store.accounts.get(found.id)) ?? found
  const shown = shownOf(account)
  const isWhole = ['show', 'plan', 'quota'].includes(asked.command)
  if (!isWhole) return said(asked.isJson ? `${JSON.stringify(shown)}\n` : `${lineOf(shown)}\n`)
  const used = await usedBy(ports, account)
  if (asked.isJson) return said(`${JSON.stringify({ ...shown, quotas: used })}\n`)
  const lines = used.map(
    ({ name, used: count, limit, own }) =>
      `  ${name.padEnd(17)} ${count} of ${limit ?? 'any number'}${own ? ', its own' : ''}\n`,
  )
  const isThere = account.plan === freePlan || Object.hasOwn(plans, account.plan)
  const lost = isThere ? '' : ', which ABODE_QUOTAS does not name: it counts as free'
  return said(`${lineOf(shown)}\n  plan ${shown.plan}${lost}\n${lines.join('')}`)
}

/** @throws Refused */
function mustBePlan(plan: string, plans: readonly string[]): void {
  const known = [freePlan, ...plans]
  if (known.includes(plan)) return
  const shown = JSON.stringify(plan.slice(0, 60))
  throw new Refused(
    `There is no plan ${shown}: there is ${known.join(', ')}. ABODE_QUOTAS makes one: team.agents=5000.`,
  )
}

async function change(ports: OperatedPorts, account: Account, asked: AccountsAsked): Promise<void> {
  if (asked.command === 'suspend') await suspend(ports, account)
  else if (asked.command === 'resume') await resume(ports, account)
  else if (asked.command === 'close') {
    mustBeClosable(account)
    const now = ports.clock.now()
    await ports.store.commit(await writesToClose(ports.store, account, asked.isGivenUp, now))
  } else if (asked.command === 'plan' || asked.command === 'quota') {
    if (account.closed_at !== undefined) throw new Refused('The account is closed.')
    if (asked.command === 'plan') await givePlan(ports, account, asked.plan)
    else await giveQuotas(ports, account, asked.quotas)
  }
}

async function usedBy({ store, quotas }: OperatedPorts, account: Account) {
  const caller = ownerOf(account.id, account)
  const used = await quotaUse({ store, quotas, caller })
  return used.map((one) => ({ ...one, own: Object.hasOwn(account.quotas ?? {}, one.name) }))
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
