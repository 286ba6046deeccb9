import { describe, expect, it } from 'vitest'
import { Misused } from '#adapters/commands/arguments.ts'
import { accountsAsked } from '#adapters/commands/accounts/arguments.ts'
import { runsAsked } from '#adapters/commands/runs/arguments.ts'
import { quotas } from '#adapters/config/limits.ts'
import { Wrong } from '#adapters/config/values.ts'
import { limitIn, standingOf } from '#src/core/counts/quota-table.ts'

describe('the words of abode accounts', () => {
  it.each([
    ['quota acc', /--reset/],
    ['quota acc agents=1 --reset', /--reset/],
    ['quota acc agent=1', /agents/],
    ['quota acc agents=-1', /agents/],
    ['quota acc agents=1.5', /agents/],
    ['quota acc agents', /name=number/],
    ['quota acc agents=1 agents=2', /twice/],
    ['quota acc agents=99999999999999999999', /agents/],
    ['quota acc concurrent_runs=0', /suspend/],
    ['quota acc __proto__=1', /agents/],
    ['plan acc', /which plan/],
    ['plan acc a b', /one word/],
    ['suspend acc --reset', /for quota/],
  ])('refuse in words: %s', (words, said) => {
    expect(() => accountsAsked(words.split(' '))).toThrow(Misused)
    expect(() => accountsAsked(words.split(' '))).toThrow(said)
  })

  it('name figures, no limit and that of the plan', () => {
    const words = ['quota', 'acc', 'agents=5', 'apps=off', 'held_runs=plan']
    expect(accountsAsked(words).quotas).toEqual({ agents: 5, apps: null, held_runs: 'plan' })
  })
})

describe('the words of abode runs', () => {
  it.each([
    ['stuck --longer-than 5', /a whole number with/],
    ['stuck --status failed', /no --status/],
    ['list a', /takes no words/],
    ['list --status gone', /is one of/],
    ['retry', /which run/],
    ['retry run_1 --account a', /which run/],
    ['retry run_1 --limit 3', /which run/],
    ['retry a b', /One run/],
    ['drain --off --timeout 5s', /one of/],
    ['drain --off --no-wait', /one of/],
    ['drain --timeout 2d', /1 day/],
    ['stop', /no command/],
  ])('refuse in words: %s', (words, said) => {
    expect(() => runsAsked(words.split(' '))).toThrow(said)
  })
})

describe('quotas of plans and accounts', () => {
  it('count in the order own, plan, all', () => {
    const table = quotas('agents=10,team.agents=7,team.apps=off')
    const limit = (plan: string, own?: object, name: 'agents' | 'apps' = 'agents') =>
      limitIn(table, name, { claimed: false, ...standingOf({ plan, ...own }) })
    expect([limit('free'), limit('team'), limit('gone'), limit('constructor')]).toEqual([
      10, 7, 10, 10,
    ])
    expect(limit('team', { quotas: { agents: 3 } })).toBe(3)
    expect(limit('team', { quotas: { agents: null } })).toBe(Infinity)
    expect(limit('team', {}, 'apps')).toBe(Infinity)
  })

  it.each([
    'free.agents=1',
    'Team.agents=1',
    '.agents=1',
    'team.agent=1',
    'team.agents=1,team.agents=2',
  ])('are refused at the start where they are wrong: %s', (text) => {
    expect(() => quotas(text)).toThrow(Wrong)
  })
})
