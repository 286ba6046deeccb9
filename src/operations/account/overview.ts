import * as z from 'zod'
import { OwnerNotice } from '#src/accounts/notice.ts'
import { noticePage } from '#src/accounts/notice-page.ts'
import { operation } from '#src/core/operation.ts'
import { Moment } from '#src/core/schema-parts.ts'
import { timestamp } from '#src/core/time.ts'
import { MoneySince, moneySince } from '#src/money/wallet/day.ts'
import { nextComing } from '#src/runs/calendar/calendar.ts'
import { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { BoundedCount, known, namedAtMost } from '#src/core/counts/bounded.ts'
import { outcomesSince, RunsNow, runsNow, RunsOfDay } from '#src/runs/overview/day.ts'
import { namedOf, needKinds, Needs, needsOf } from '#src/runs/overview/needs.ts'
import { periodsAt } from '#src/runs/spend/sum.ts'
import { shownFigures, SpendFigures, totalOf } from '#src/runs/spend/summary.ts'
import { QuotaUse, quotaUse } from '#src/runs/overview/quota-use.ts'

const dayMs = 86_400_000

/** When the day began in UTC, in milliseconds since the epoch. */
function startOfDay(now: Date): number {
  return Math.floor(now.getTime() / dayMs) * dayMs
}

export const overview = operation({
  name: 'account.overview',
  summary:
    'Read how the account stands today: what needs its owner, what ran, what failed and what is next.',
  description:
    'Counts end at 100 of a kind; more says that there are more. Of what needs the owner the first ' +
    'five are named, or as many as named says. since is where the day begins, by default 00:00 UTC, and where a last look ended.',
  aliases: ['today'],
  example: { since: '2026-03-02T00:00:00Z' },
  auth: 'key',
  http: { method: 'GET', path: '/api/account/overview' },
  toolsets: ['account'],
  input: z.strictObject({
    since: Moment.optional(),
    named: z.int().min(1).max(50).default(namedAtMost).describe('How many of each need are named.'),
    needs: z
      .array(z.enum(needKinds))
      .min(1)
      .max(needKinds.length)
      .optional()
      .describe('Of which needs some are named; by default of all.'),
  }),
  output: z.object({
    since: z.string(),
    agents: BoundedCount,
    apps: BoundedCount,
    runs: RunsNow,
    outcomes: RunsOfDay,
    needs: Needs,
    unread: BoundedCount,
    notices: z
      .array(OwnerNotice)
      .describe('The newest of those that this reader has not been shown; they stay unread.'),
    next: z.array(CalendarEntry).describe('The next fires that will come, within a week.'),
    money: MoneySince.nullable(),
    models: SpendFigures.describe('What models were asked today (UTC) and what that cost.'),
    quotas: z.array(QuotaUse),
  }),
  refuses: [],
  says: ['notices'],

  async run({ since: sent, named, needs: kinds = needKinds }, context) {
    const { store, caller, clock } = context
    const { accountId } = caller
    const since = new Date(sent ?? startOfDay(clock.now()))
    const reader = caller.personId ?? caller.keyId
    const unread = await noticePage(store, accountId, reader, { limit: 100 }, { unread: true })
    const quotas = await quotaUse(context)
    const used = (name: string): number => quotas.find((one) => one.name === name)?.used ?? 0
    return {
      since: timestamp(since),
      agents: known(used('agents')),
      apps: known(used('apps')),
      runs: await runsNow(store, accountId),
      outcomes: await outcomesSince(store, accountId, since),
      needs: await needsOf(store, accountId, since, namedOf(kinds, named)),
      unread: { count: unread.notices.length, more: unread.next !== null },
      notices: unread.notices.slice(0, namedAtMost).map(({ shown }) => shown),
      next: await nextComing(context, namedAtMost),
      money: await moneySince(store, accountId, timestamp(since)),
      models: shownFigures(await totalOf(store, accountId, [periodsAt(clock.now()).day])),
      quotas,
    }
  },
})
