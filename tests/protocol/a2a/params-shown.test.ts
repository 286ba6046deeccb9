import { expect, test } from 'vitest'
import { paramsFault } from '#protocol/a2a/checks.ts'
import { protocolMethod, protocolNames } from '#protocol/a2a/names.ts'
import { paramsShown } from '#protocol/a2a/request/params-shown.ts'

const sent = [
  undefined,
  null,
  'x',
  [],
  {},
  { id: 5, taskId: '' },
  { id: 'a', taskId: 'b', pushNotificationConfigId: 'c', url: 5 },
  { taskId: '\ud800', message: { messageId: '\ud800', parts: ['\ud800'] } },
  { message: { messageId: 'x'.repeat(5000), contextId: [], parts: [[[[[['deep']]]]]] } },
]

test.each([
  [{ pageSize: 500 }, { pageSize: 100 }],
  [
    { pageSize: 0, contextId: 'c' },
    { pageSize: 1, contextId: 'c' },
  ],
  [{ status: 'Completed' }, { pageSize: 20, status: 'TASK_STATE_COMPLETED' }],
  [{ status: 'constructor' }, { pageSize: 20 }],
])('of a list of tasks asked for as %j, what was meant', (params, shown) => {
  expect(paramsShown('ListTasks', '1.0', params)).toEqual(shown)
})

test.each(protocolNames)('what is shown for %s has its form, and is short', (name) => {
  const named = protocolMethod(name)
  if (!named) throw new Error('it is one of the names')
  const { method, version } = named
  for (const params of sent) {
    const shown = paramsShown(method, version, params)
    expect(paramsFault(method, version, shown)).toBeUndefined()
    expect(JSON.stringify(shown).length).toBeLessThan(1000)
  }
})
