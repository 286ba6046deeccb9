import { crc32 } from 'node:zlib'
import { expect } from 'vitest'
import { agent, brokenCursor, given, needsKey, nowhere, type Case } from './case.ts'

const open: Case[] = [
  given({
    op: 'health.get',
    title: 'the service is well while its store answers',
    as: 'anonymous',
    input: () => ({}),
    answer: (answer) => expect(answer).toEqual({ status: 'ok' }),
  }),
  given({
    op: 'limits.get',
    title: 'every limit and quota is listed',
    as: 'anonymous',
    input: () => ({}),
    answer: (answer) => {
      const retention = expect.arrayContaining([
        { name: 'revoked_keys', count: null, days: 90 },
        { name: 'revisions', count: 50, days: null },
      ])
      expect(answer).toMatchObject({ retention })
      const own_retention = expect.arrayContaining([
        { name: 'revisions', unit: 'states', least: 1, most: 50 },
        { name: 'orders', unit: 'days', least: 30, most: 365 },
      ])
      expect(answer).toMatchObject({ own_retention })
      const names = (answer.quotas as unknown as { name: string }[]).map((quota) => quota.name)
      expect(names).toEqual([
        'agents',
        'apps',
        'runs_a_day',
        'stored_bytes',
        'concurrent_runs',
        'queued_runs',
        'held_runs',
        'paid_calls_hour',
      ])
      expect(answer.runs).toEqual([
        { name: 'run_time', limit: 600, unclaimed: 600, unit: 'seconds', code: 'run_budget' },
        { name: 'leased_time', limit: 86_400, unit: 'seconds', code: 'run_budget' },
        { name: 'wait_for_lease', limit: 86_400, unit: 'seconds', code: 'no_worker' },
        { name: 'steps_time', limit: 604_800, unit: 'seconds', code: 'steps_budget' },
        { name: 'attempts', limit: 3, unit: 'attempts', code: 'worker_lost' },
        { name: 'chain_depth', limit: 8, unit: 'runs', code: 'chain_too_deep' },
        { name: 'runs_a_root', limit: 100, unit: 'runs', code: 'too_many_runs' },
      ])
    },
  }),
  given({
    op: 'limits.get',
    title: 'a key is told the quotas that the operator gave its account',
    as: 'owner',
    given: async ({ ask, world: { ports } }) => {
      const { id } = await ask('account.get', {})
      const quotas = { agents: 70_000, apps: null }
      await ports.store.accounts.update({ id }, { $set: { quotas } })
      ports.forgetCallers()
    },
    input: () => ({}),
    answer: ({ own }) => {
      const { plan, quotas } = own as unknown as { plan: string; quotas: object[] }
      expect([plan, quotas.slice(0, 2)]).toEqual([
        'free',
        [
          { name: 'agents', limit: 70_000 },
          { name: 'apps', limit: null },
        ],
      ])
    },
  }),
  given({
    op: 'operations.search',
    title: 'words find operations, the best first, each with what it takes',
    as: 'anonymous',
    input: () => ({ q: 'how do I reply to a thread?' }),
    answer({ items, more }) {
      expect(items[0]).toMatchObject({
        name: 'commons.replies.create',
        tool: 'commons_replies_create',
        method: 'POST',
        members: { thread_id: 'string, required', body: 'string, required: Markdown' },
        example: { body: expect.any(String) },
      })
      expect(items.length).toBeLessThanOrEqual(5)
      expect(more).toBeGreaterThan(5)
      expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(3000)
    },
  }),
  given({
    op: 'operations.search',
    title: 'a toolset is listed, as many as were asked for',
    as: 'anonymous',
    input: () => ({ toolset: 'runs', limit: 50 }),
    answer({ items, more }) {
      expect(items.map(({ name }) => name)).toContain('runs.lease')
      expect(more).toBe(0)
    },
  }),
  given({
    op: 'operations.search',
    title: 'words that say nothing are told so, with what to look for instead',
    as: 'anonymous',
    input: () => ({ q: 'the of a' }),
    answer({ items, more, warnings }) {
      expect([items, more]).toEqual([[], 0])
      expect(warnings).toEqual([
        {
          code: 'says_nothing',
          pointer: '/q',
          message: expect.stringMatching(/do not say what you want to do.*run.a.task/),
        },
      ])
    },
  }),
  given({
    op: 'operations.search',
    title: 'words that no operation has are told so',
    as: 'anonymous',
    input: () => ({ q: 'xylophone quokka' }),
    answer: ({ warnings }) => expect(warnings).toMatchObject([{ code: 'unknown', pointer: '/q' }]),
  }),
  given({
    op: 'operations.search',
    title: 'what only another toolset has is told',
    as: 'anonymous',
    input: () => ({ q: 'heartbeat', toolset: 'payments' }),
    answer: ({ warnings }) =>
      expect(warnings).toMatchObject([
        { code: 'elsewhere', message: expect.stringMatching(/runs.*heartbeat/) },
      ]),
  }),
  given({
    op: 'operations.search',
    title: 'more words than a question has are refused',
    as: 'anonymous',
    input: () => ({ q: 'run '.repeat(1000) }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe('/q'),
  }),
  given({
    op: 'operations.get',
    title: 'one operation is shown, by its name on any door',
    as: 'anonymous',
    input: () => ({ name: 'POST /api/characters/{char_id}/tasks/{task_id}/run' }),
    answer(op) {
      expect(op).toMatchObject({
        name: 'tasks.run',
        tool: 'tasks_run',
        input: { required: ['char_id', 'task_id'] },
        output: { properties: { status: {} } },
        example: { char_id: 'ada' },
        refuses: expect.arrayContaining([{ code: 'task_not_found', status: 404 }]),
      })
    },
  }),
  ...['operations_call', 'operations.call'].map((name) =>
    given({
      op: 'operations.get',
      title: `${name}, which is no operation, is described as one`,
      as: 'anonymous',
      input: () => ({ name }),
      answer(op) {
        expect(op).toMatchObject({
          name: 'operations.call',
          tool: 'operations_call',
          method: null,
          path: null,
          input: { required: ['name'], properties: { arguments: { type: 'object' } } },
          example: { name: 'feed_post' },
          refuses: expect.arrayContaining([{ code: 'operation_not_found', status: 404 }]),
        })
      },
    }),
  ),
  given({
    op: 'operations.get',
    title: 'a name that there is not leads to the one that was meant',
    as: 'anonymous',
    input: () => ({ name: 'run_task' }),
    refusal: 'operation_not_found',
    error: (error) => expect(error.hint).toContain('Did you mean'),
  }),
  given({
    op: 'operations.search',
    title: 'an unknown toolset is refused',
    as: 'anonymous',
    input: () => ({ toolset: 'everything' }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe('/toolset'),
  }),
]

const claims: Case[] = [
  given({
    op: 'agent_claim.create',
    title: 'anybody gets a key that works at once',
    as: 'anonymous',
    input: () => ({ name: 'Ada' }),
    answer: async (answer, _, stage) => {
      expect(answer.api_key).toMatch(/^ab_[0-9A-Za-z]{38}$/)
      const status = await stage.ask('agent_claim.status', { token: answer.token })
      expect(status).toEqual({ status: 'active', api_key: answer.api_key })
    },
  }),
  given({
    op: 'agent_claim.create',
    title: 'a member that it does not know is ignored with a warning',
    as: 'anonymous',
    input: () => ({ nam: 'Ada' }),
    answer: ({ warnings }) =>
      expect(warnings[0]).toMatchObject({ code: 'member_ignored', pointer: '/nam' }),
  }),
  given({
    op: 'agent_claim.create',
    title: 'a name of 101 characters is refused',
    as: 'anonymous',
    input: () => ({ name: 'x'.repeat(101) }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'agent_claim.create',
    title: 'a name that is no text is refused',
    as: 'anonymous',
    input: () => ({ name: 7 }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'agent_claim.status',
    title: 'the token gives the key back',
    as: 'anonymous',
    given: (stage) => stage.ask('agent_claim.create', {}),
    input: (claim) => ({ token: claim.token }),
    answer: (answer, claim) => expect(answer.api_key).toBe(claim.api_key),
  }),
  given({
    op: 'agent_claim.recover',
    title: 'the token gives a new key, tells the owner, and the status goes on giving none',
    as: 'anonymous',
    async given(stage) {
      const claim = await stage.ask('agent_claim.create', {})
      const { items } = await stage.world.ask<{ items: { id: string }[] }>(
        'api_keys.list',
        {},
        claim.api_key,
      )
      await stage.world.ask('api_keys.revoke', { key_id: items[0]?.id }, claim.api_key)
      return claim
    },
    input: (claim) => ({ claim_token: claim.token }),
    async answer(answer, { token, api_key }, { world }) {
      expect(answer.api_key).toMatch(/^ab_[0-9A-Za-z]{38}$/)
      expect(answer.api_key).not.toBe(api_key)
      const inbox = await world.ask<{ items: { type: string }[] }>(
        'account.inbox',
        {},
        answer.api_key,
      )
      expect(inbox.items).toMatchObject([{ type: 'key.recovered' }])
      const status = world.ask('agent_claim.status', { token })
      await expect(status).rejects.toMatchObject({ code: 'claim_not_found' })
    },
  }),
  given({
    op: 'agent_claim.recover',
    title: 'an unknown token is not found',
    as: 'anonymous',
    input: () => ({ claim_token: nowhere }),
    refusal: 'claim_not_found',
  }),
  given({
    op: 'agent_claim.status',
    title: 'an unknown token is not found',
    as: 'anonymous',
    input: () => ({ token: nowhere }),
    refusal: 'claim_not_found',
  }),
]

const keys: Case[] = [
  ...needsKey('api_keys.create', { name: 'Mine' }),
  given({
    op: 'api_keys.create',
    title: 'the raw key is given once and works',
    as: 'owner',
    input: () => ({ name: 'Mine' }),
    answer: async (answer, _, stage) => {
      const { items } = await stage.ask('api_keys.list', {})
      expect(items[0]).toMatchObject({ id: answer.id, key: `${answer.prefix}…${answer.last4}` })
      expect(JSON.stringify(items)).not.toContain(answer.key)
    },
  }),
  given({
    op: 'api_keys.create',
    title: 'a key may be scoped to an agent of the account',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (scope_char_id) => ({ name: 'Hers', scope_char_id }),
    answer: (answer, id) => expect(answer.scope_char_id).toBe(id),
  }),
  given({
    op: 'api_keys.create',
    title: 'an agent that does not exist cannot be acted as',
    as: 'owner',
    input: () => ({ name: 'Hers', scope_char_id: nowhere }),
    refusal: 'character_not_found',
  }),
  given({
    op: 'api_keys.create',
    title: "another account's agent cannot be acted as",
    as: 'stranger',
    given: (stage) => agent(stage),
    input: (scope_char_id) => ({ name: 'Hers', scope_char_id }),
    refusal: 'forbidden',
  }),
  given({
    op: 'api_keys.create',
    title: 'a scoped key makes no keys',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({ name: 'Wider' }),
    refusal: 'scope_forbidden',
  }),
  given({
    op: 'api_keys.create',
    title: 'an unknown member is refused with the nearest known one',
    as: 'owner',
    input: () => ({ name: 'Mine', scope_char: 'ada' }),
    refusal: 'invalid_input',
    error: (error) =>
      expect(error.errors?.[0]).toMatchObject({
        pointer: '/scope_char',
        code: 'unknown_member',
        suggestion: 'scope_char_id',
      }),
  }),
  given({
    op: 'api_keys.list',
    title: 'keys are listed masked, newest first, page by page',
    as: 'owner',
    given: async (stage) => {
      await stage.ask('api_keys.create', { name: 'Second' })
      return stage.ask('api_keys.create', { name: 'Third' })
    },
    input: () => ({ limit: 1 }),
    answer: async (answer, _, stage) => {
      expect(answer.items[0]?.name).toBe('Third')
      const cursor = answer.next_cursor
      const next = await stage.ask('api_keys.list', { limit: 2, cursor })
      expect((next.items as unknown as { name: string }[]).map(({ name }) => name)).toEqual([
        'Second',
        'First key',
      ])
      expect(next.next_cursor).toBeNull()
    },
  }),
  brokenCursor('api_keys.list', () => ({})),
  given({
    op: 'api_keys.list',
    title: "another account's cursor is refused",
    as: 'stranger',
    given: async (stage) => {
      await stage.ask('api_keys.create', { name: 'Second' })
      return stage.ask('api_keys.list', { limit: 1 })
    },
    input: ({ next_cursor }) => ({ cursor: next_cursor }),
    refusal: 'cursor_invalid',
  }),
  ...['null', '{}', '[]', '[[1],{}]', 'nonsense'].map((body) =>
    given({
      op: 'api_keys.list',
      title: `a forged cursor of ${body} is refused`,
      as: 'owner',
      given: async (stage) => (await stage.ask('account.get', {})).id,
      input: (id) => {
        const sum = crc32(`api_keys ${id}\n${body}`).toString(36)
        return { cursor: Buffer.from(`${sum}.${body}`).toString('base64url') }
      },
      refusal: 'cursor_invalid',
    }),
  ),
  given({
    op: 'api_keys.list',
    title: 'a limit out of range is refused',
    as: 'owner',
    input: () => ({ limit: 101 }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'api_keys.revoke',
    title: 'a revoked key is refused from then on, and its claim no longer gives it back',
    as: 'owner',
    given: async (stage) => {
      const claim = await stage.ask('agent_claim.create', {})
      const { items } = await stage.ask('api_keys.list', {})
      return { claim, key_id: items[0]?.id }
    },
    input: ({ key_id }) => ({ key_id }),
    answer: async (answer, { key_id }, stage) => {
      expect(answer).toMatchObject({ id: key_id, deleted: true })
      await expect(stage.ask('account.get', {})).rejects.toMatchObject({
        code: 'invalid_credential',
      })
    },
  }),
  given({
    op: 'api_keys.revoke',
    title: 'the last key of the account is revoked with a warning that tells the way back',
    as: 'owner',
    given: async (stage) => {
      const scope_char_id = await agent(stage)
      await stage.ask('api_keys.create', { name: 'Hers', scope_char_id })
      const second = await stage.ask('api_keys.create', { name: 'Second' })
      await stage.ask('api_keys.revoke', { key_id: second.id })
      const { items } = await stage.ask('api_keys.list', {})
      return items.find(({ name }) => name.startsWith('First'))?.id
    },
    input: (key_id) => ({ key_id }),
    answer: ({ warnings }) => {
      expect(warnings).toMatchObject([{ code: 'last_key' }])
      expect(warnings[0]?.message).toMatch(
        /agent.claim.recover.*claim_url before 20.*Z takes it over.*\/settings/,
      )
    },
  }),
  given({
    op: 'api_keys.revoke',
    title: 'a key that is not the last is revoked without a warning',
    as: 'owner',
    given: (stage) => stage.ask('api_keys.create', { name: 'Second' }),
    input: ({ id }) => ({ key_id: id }),
    answer: (answer, { id }) => expect(answer).toEqual({ id, deleted: true }),
  }),
  given({
    op: 'api_keys.revoke',
    title: 'a key of one agent is never the last',
    as: 'owner',
    given: async (stage) => {
      const scope_char_id = await agent(stage)
      return stage.ask('api_keys.create', { name: 'Hers', scope_char_id })
    },
    input: ({ id }) => ({ key_id: id }),
    answer: (answer, { id }) => expect(answer).toEqual({ id, deleted: true }),
  }),
  given({
    op: 'api_keys.revoke',
    title: 'the last key of an account that a person holds is told of with the settings',
    as: 'person',
    given: async (stage) => {
      await stage.person('person')
      return stage.ask('api_keys.create', { name: 'Only' }, 'person')
    },
    input: ({ id }) => ({ key_id: id }),
    answer: ({ warnings }) =>
      expect(warnings[0]?.message).toMatch(/The person who holds it .*\/settings/),
    not: { mcp: 'no session there', a2a: 'no session there' },
  }),
  given({
    op: 'api_keys.revoke',
    title: 'an unknown key is not found',
    as: 'owner',
    input: () => ({ key_id: nowhere }),
    refusal: 'api_key_not_found',
  }),
  given({
    op: 'api_keys.revoke',
    title: "another account's key is forbidden",
    as: 'stranger',
    given: (stage) => stage.ask('api_keys.create', { name: 'Mine' }),
    input: (key) => ({ key_id: key.id }),
    refusal: 'forbidden',
  }),
  ...needsKey('account.events', {}),
  brokenCursor('account.events', () => ({})),
  given({
    op: 'account.events',
    title: 'the log of an account begins with the first call, and always says how to go on',
    as: 'owner',
    input: () => ({ limit: 5 }),
    answer: async (answer, _, stage) => {
      expect(answer.items).toEqual([])
      const again = await stage.ask('account.events', { cursor: answer.next_cursor })
      expect(again.next_cursor).toBe(answer.next_cursor)
    },
  }),
  ...needsKey('account.update', {}),
  given({
    op: 'account.update',
    title: 'the account has another name, and keeps no prompts from now on',
    as: 'owner',
    input: () => ({ name: 'Newsroom', keep_prompts: false }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({ name: 'Newsroom', keep_prompts: false })
      const kept = await stage.ask('account.get', {})
      expect(kept).toMatchObject({ name: 'Newsroom', keep_prompts: false })
    },
  }),
  given({
    op: 'account.update',
    title: 'what is not sent stays',
    as: 'owner',
    given: (stage) => stage.ask('account.update', { name: 'Newsroom', keep_prompts: false }),
    input: () => ({}),
    answer: (answer) => expect(answer).toMatchObject({ name: 'Newsroom', keep_prompts: false }),
  }),
  given({
    op: 'account.update',
    title: 'what it keeps for less long is set one by one, and taken back by null',
    as: 'owner',
    given: (stage) => stage.ask('account.update', { retention: { runs: 30, events: 7 } }),
    input: () => ({ retention: { events: null, orders: 30 } }),
    answer: async (answer, _, stage) => {
      const retention = { runs: 30, orders: 30 }
      expect(answer.retention).toEqual(retention)
      expect((await stage.ask('account.get', {})).retention).toEqual(retention)
    },
  }),
  ...(
    [
      ['nothing is kept for no time', { messages: 0 }],
      ['nothing is kept for longer than the server keeps it', { revisions: 51 }],
      ['what buyers were given is kept for a month', { orders: 29 }],
    ] as const
  ).map(([title, retention]) =>
    given({
      op: 'account.update',
      title,
      as: 'owner',
      input: () => ({ retention }),
      refusal: 'invalid_input',
    }),
  ),
  ...needsKey('account.get', {}),
  given({
    op: 'account.get',
    title: 'the account tells who the key acts as and what is used',
    as: 'scoped',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.scopeTo(id)
      return id
    },
    input: () => ({}),
    answer: (answer, id) => {
      expect(answer.key.scope_char_id).toBe(id)
      expect(answer.quotas[0]).toMatchObject({ name: 'agents', used: 1 })
    },
  }),
]

export const onboarding: readonly Case[] = [...open, ...claims, ...keys]
