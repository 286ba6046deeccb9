import { describe, expect, it } from 'vitest'
import { CharacterInput } from '#src/agents/character.ts'
import { copyOf } from '#src/agents/copies/copy.ts'
import { exportOf } from '#src/agents/copies/export.ts'

const own = 'the-original'

/** An agent in which everything private holds the word marker. */
const full = {
  id: own,
  revision: 7,
  heart: null,
  owner_id: 'acc_marker',
  app_id: 'marker',
  name: 'Ada',
  bio: 'Reads.',
  marker_notes: 'marker',
  extensions: { marker: 'marker' },
  personality: { traits: ['calm'], marker: 'marker' },
  brain: {
    system_prompt_override: 'You read.',
    marker: 'marker',
    mcps: [
      { name: 'a', url: 'https://tools.example/mcp', env: { KEY: 'marker' }, marker: 'marker' },
      { name: 'b', url: 'https://tools.example/mcp?key=marker' },
      { name: 'c', url: 'https://user:marker@tools.example/mcp' },
    ],
    plugins: [{ name: 'p', config: { to: 'marker' } }],
    hooks: [
      { event: 'after_run', action: 'webhook:https://hooks.example/marker' },
      { event: 'after_run', action: 'memory:notes/last' },
    ],
    custom_skill_urls: ['https://skills.example/a.md', 'https://skills.example/a.md#marker'],
    custom_mcp_urls: ['https://tools.example/?marker'],
  },
  control: {
    channels: [
      { name: 'marker', type: 'webhook', config: { url: 'https://hooks.example/marker' } },
    ],
  },
  visibility: { profile_visibility: 'public', allow_cloning: true, show_in_directory: true },
}

const task = {
  task_id: 'digest',
  name: 'Digest',
  prompt: 'Sum up: {{input}}',
  marker: 'marker',
  variables: { tone: 'dry' },
  triggers: [
    { type: 'cron', config: { cron: '0 9 * * *', marker: 'marker' }, marker: 'marker' },
    { type: 'webhook', config: { path: 'in', secret: '***' } },
    { type: 'event', config: { event: 'run.completed', filter: { a: 1 } } },
    { type: 'message', config: { from_agent_id: 'marker' } },
    { type: 'manual', config: {} },
  ],
  tools: [
    {
      name: 't',
      type: 'http',
      config: { url: 'https://api.example/v1', headers: { H: 'marker' } },
    },
    { name: 'u', type: 'http', config: { url: 'https://api.example/v1?marker=1' } },
  ],
  artifact_stores: [{ type: 'local' }, { type: 's3', connection: 'marker' }],
  api_url: 'https://api.example/run?token=marker',
  selected_secrets: ['MARKER'],
  selected_connections: ['marker-friend'],
  output_sharing: { enabled: true, target_agent_id: 'marker-friend' },
  social_posting: { enabled: true, channels: ['marker'] },
  approval_gate: { requires_approval: true, approvers: ['marker-a', 'marker-b'], min_approvals: 2 },
  quorum: {
    min_approvals: 2,
    approver_agent_ids: ['marker-a', 'marker-b'],
    fallback_agent_id: own,
  },
  reliability: { pause_reason: 'marker' },
  service_enabled: true,
  price_cents: 500,
  payment_price_id: 'price_marker',
}

const stored = (heart: object | null = null) => ({
  agent: JSON.stringify({ ...CharacterInput.parse({ ...full, heart }), ...full, heart }),
  tasks: [
    JSON.stringify(CharacterInput.parse({ name: 'x', heart: { tasks: [task] } }).heart?.tasks[0]),
  ],
})
const heart = { heartbeat_interval: '2h', timezone: 'Europe/Berlin', tasks: [], marker: 'marker' }

describe('a copy for another account', () => {
  const terms = { id: 'the-copy', name: null, isOwner: false }
  const { input, warnings } = copyOf(stored(heart), terms)

  it('holds nothing of whom the original deals with', () => {
    expect(JSON.stringify({ input, warnings }).toLowerCase()).not.toContain('marker')
  })

  it('is what the original is and does', () => {
    expect(input).toMatchObject({
      id: 'the-copy',
      name: 'Ada',
      bio: 'Reads.',
      personality: { traits: ['calm'] },
      brain: {
        system_prompt_override: 'You read.',
        mcps: [{ name: 'a', url: 'https://tools.example/mcp' }, { url: null }, { url: null }],
        hooks: [{ action: 'memory:notes/last' }],
        custom_skill_urls: ['https://skills.example/a.md'],
        custom_mcp_urls: [],
      },
      heart: {
        timezone: 'Europe/Berlin',
        tasks: [
          {
            task_id: 'digest',
            prompt: 'Sum up: {{input}}',
            variables: { tone: 'dry' },
            tools: [{ config: { url: 'https://api.example/v1' } }, { config: {} }],
          },
        ],
      },
    })
  })

  it('starts nothing by itself, reaches no one and sells nothing', () => {
    const [only] = input.heart?.tasks ?? []
    expect(only?.triggers.map(({ type, enabled }) => [type, enabled])).toEqual([
      ['cron', false],
      ['webhook', false],
      ['event', false],
      ['message', false],
      ['manual', true],
    ])
    expect(input.heart?.heartbeat_interval).toBeNull()
    expect(only).toMatchObject({
      selected_secrets: [],
      selected_connections: ['the-copy'],
      output_sharing: null,
      social_posting: null,
      service_enabled: false,
      price_cents: null,
    })
    expect(input).toMatchObject({ visibility: null, control: null })
    expect(warnings.map(({ code }) => code)).toEqual([
      'secret_lost',
      'triggers_off',
      'heartbeat_off',
      'left_behind',
    ])
  })

  it('asks before it acts as the original does, but no one of the other account', () => {
    expect(input.heart?.tasks[0]).toMatchObject({
      approval_gate: { requires_approval: true, approvers: [], min_approvals: 1 },
      quorum: { approver_agent_ids: ['the-copy'], min_approvals: 1, fallback_agent_id: null },
    })
  })
})

describe('a copy for its owner', () => {
  const { input, warnings } = copyOf(stored(heart), { id: null, name: 'Ada Two', isOwner: true })

  it('is the same, under an id made from its name, and means itself where it named itself', () => {
    expect(input.id).toMatch(/^ada-two-[a-z0-9]{6}$/)
    expect(input).toMatchObject({
      name: 'Ada Two',
      marker_notes: 'marker',
      extensions: { marker: 'marker' },
      visibility: full.visibility,
      control: full.control,
      heart: { tasks: [{ quorum: { fallback_agent_id: input.id }, selected_secrets: ['MARKER'] }] },
    })
    expect(input).not.toHaveProperty('owner_id')
  })

  it('acts as the original does, which is said', () => {
    const [only] = input.heart?.tasks ?? []
    expect(only?.triggers.map(({ enabled }) => enabled)).toEqual([true, false, true, true, true])
    expect(warnings.map(({ code }) => code)).toEqual([
      'secret_lost',
      'secret_lost',
      'secret_lost',
      'secret_left_out',
      'copy_acts',
    ])
  })
})

it('an export holds neither secrets nor what only the platform sets', () => {
  const text = exportOf(stored(heart))
  for (const part of ['acc_marker', 'user:marker', '"***"', 'revision']) {
    expect(text).not.toContain(part)
  }
})
