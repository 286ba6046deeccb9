import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  actionCall,
  callsOf,
  messageCall,
  signedCall,
  webhookCall,
} from '#src/agents/tasks/calls.ts'
import { taskFrom } from '#src/agents/tasks/stored-task.ts'
import { TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'
import { listeningAt } from '#src/runs/triggers/webhook.ts'

const place = {
  charId: 'ada',
  ownerId: 'acc_1',
  appId: null,
  taskId: 't',
  now: '2026-01-01T00:00:00.000Z',
}
const sealer = { seal: String, open: () => '{}' }
const path = fc.constantFrom('orders', '/orders', 'orders/', '/orders/', 'orders/new', '/')
const enabled = fc.boolean()
const trigger = fc.oneof(
  fc.record({
    type: fc.constant('webhook'),
    enabled,
    config: fc.record({ path, secret: fc.constantFrom('***', null) }),
  }),
  fc.record({
    type: fc.constant('action'),
    enabled,
    config: fc.record({ name: fc.constantFrom('', null, 'sum') }),
  }),
  fc.record({ type: fc.constant('message'), enabled, config: fc.constant({}) }),
  fc.record({ type: fc.constant('event'), enabled, config: fc.constant({ event: 'run.failed' }) }),
)

function taskWith(triggers: object[]): StoredTask {
  const { task } = taskFrom(TaskInput.parse({ name: 'Count' }), place)
  // What a task that was checked holds.
  return { ...task, triggers: triggers as StoredTask['triggers'] }
}

test('a task tells of every call that one of its triggers waits for, and of no other', () => {
  fc.assert(
    fc.property(fc.array(trigger, { maxLength: 5 }), path, (triggers, called) => {
      const task = taskWith(triggers)
      const calls = callsOf(task) ?? []
      const [listening] = listeningAt([task], called, sealer)
      expect(calls.includes(webhookCall(called))).toBe(listening !== undefined)
      if (listening && listening.locks !== null) expect(calls).toContain(signedCall(called))
      const on = task.triggers.filter((one) => one.enabled)
      expect(calls.includes(messageCall)).toBe(on.some(({ type }) => type === 'message'))
      const names = on.filter(({ type }) => type === 'action').map(({ config }) => config.name)
      expect(calls.includes(actionCall('sum'))).toBe(names.includes('sum'))
      expect(calls.includes(actionCall('Count'))).toBe(names.some((name) => !name))
      expect(callsOf(taskWith([]))).toBeNull()
    }),
  )
})
