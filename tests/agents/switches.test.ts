import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

let store: Store
let world: World
let key: string

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is one')
  store = await kind.open()
  world = openWorld(store)
  ;({ key } = await world.account())
})
afterEach(() => store.close())

async function toldOf(op: string, input: object): Promise<(string | undefined)[]> {
  const { warnings = [] } = await world.ask<{ warnings?: { code: string; pointer?: string }[] }>(
    op,
    input,
    key,
  )
  return warnings.flatMap(({ code, pointer }) => (code === 'switched_off' ? [pointer] : []))
}

const task = (task_id: string, approval_gate: object) => ({
  task_id,
  name: 'T',
  prompt: 'Do.',
  approval_gate,
})
const byDefault = { approvers: ['ada'] }
const onPurpose = { ...byDefault, requires_approval: false }

test('a switch is told of where it was filled in or stands from before, and not where it was sent', async () => {
  const at = (i: number) => `/heart/tasks/${i}/approval_gate/requires_approval`
  const tasks = [task('a', onPurpose), task('b', byDefault)]
  const character = { id: 'ada', name: 'Ada', heart: { tasks } }
  expect(await toldOf('characters.create', { character })).toEqual([at(1)])
  const more = [task('c', byDefault), task('d', onPurpose)]
  const changed = { char_id: 'ada', character: { heart: { tasks: [...tasks, ...more] } } }
  expect(await toldOf('characters.update', changed)).toEqual([at(2)])

  const gate = ['/approval_gate/requires_approval']
  const made = (sent: object) => toldOf('tasks.create', { char_id: 'ada', task: sent })
  expect(await made(task('e', byDefault))).toEqual(gate)
  expect(await made(task('f', onPurpose))).toEqual([])
  // Understood though it was sent as a text.
  expect(await made(task('g', { ...byDefault, requires_approval: 'false' }))).toEqual([])
  const updated = (approval_gate: object) =>
    toldOf('tasks.update', { char_id: 'ada', task_id: 'f', task: { approval_gate } })
  expect(await updated({ approval_prompt: 'May it?' })).toEqual(gate)
  expect(await updated({ approval_prompt: 'May it go?', requires_approval: false })).toEqual([])
})

test('a manifest is told of alike', async () => {
  const agents = [
    {
      local_id: 'ada',
      name: 'Ada',
      heart: { tasks: [task('a', onPurpose), task('b', byDefault)] },
    },
  ]
  const manifest = { manifest_version: 1, app: { name: 'Team' }, agents }
  const { findings } = await world.ask<{ findings: { code: string; pointer: string }[] }>(
    'agent_apps.validate',
    { manifest },
    key,
  )
  const told = findings.filter(({ code }) => code === 'switched_off')
  expect(told.map(({ pointer }) => pointer)).toEqual([
    '/agents/0/heart/tasks/1/approval_gate/requires_approval',
  ])
})
