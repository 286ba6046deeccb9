import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { newToken } from '#src/core/ids.ts'
import { corrected } from '#src/core/input/corrected.ts'

function operation(name: string) {
  const op = catalog.find((one) => one.name === name)
  if (!op) throw new Error(name)
  return op
}

const unknown = (name: string, suggestion?: string) => ({
  pointer: `/${name}`,
  message: '',
  code: 'unknown_member',
  ...(suggestion !== undefined && { suggestion }),
})
const missing = (name: string) => ({ pointer: `/${name}`, message: '', code: 'invalid_type' })

describe('the call of a caller put right', () => {
  it.each([
    ['tasks.run', { agent_id: 'a', task: 't' }, { char_id: 'a', task_id: 't' }],
    ['runs.get', { id: 'RUN' }, { run_id: 'RUN' }],
    ['agent_apps.teardown', { id: 'flat1' }, { app_id: 'flat1' }],
  ])('%s has what was sent under its right names', (name, sent, right) => {
    const [names, sentNames] = [Object.keys(right), Object.keys(sent)]
    const faults = sentNames.flatMap((one, i) => [missing(names[i] ?? ''), unknown(one, names[i])])
    expect(corrected(operation(name), sent, faults)).toEqual(right)
  })

  it('has a lease token as the example has it', () => {
    const { example } = operation('runs.complete')
    const faults = [missing('lease_token'), unknown('leaseToken', 'lease_token')]
    const sent = { run_id: 'r', leaseToken: 'lse_mine', output: 'done' }
    expect(corrected(operation('runs.complete'), sent, faults)).toEqual({
      run_id: 'r',
      lease_token: example['lease_token'],
      output: 'done',
    })
  })

  it('has what is missing from the example', () => {
    const sent = { char_id: 'a', to: 'b' }
    expect(corrected(operation('messages.send'), sent, [missing('body')])).toEqual({
      ...sent,
      body: operation('messages.send').example['body'],
    })
  })

  it.each([
    ['an id that the example has would end something else', 'agent_apps.teardown', {}, 'app_id'],
    ['there is no example of it', 'tasks.run', { char_id: 'a', task_id: 't' }, 'nothing'],
  ])('is not there where %s', (_, name, sent, lacks) => {
    expect(corrected(operation(name), sent, [missing(lacks)])).toBeUndefined()
  })

  const token = newToken('ab')
  it.each([
    ['a secret', 'characters.secrets.update', { char_id: 'a', secret: { name: 'X', value: 'y' } }],
    ['a document with one', 'characters.update', { char_id: 'a', character: { api_key: 'y' } }],
    ['a key in a text', 'messages.send', { char_id: 'a', to: 'b', body: `It is ${token}.` }],
    [
      'a password of an address',
      'messages.send',
      {
        char_id: 'a',
        to: 'b',
        body: 'https://me:hunter2hunter2@db.internal/',
      },
    ],
    ['a long text', 'messages.send', { char_id: 'a', to: 'b', body: 'word '.repeat(200) }],
    [
      'many members',
      'characters.update',
      {
        char_id: 'a',
        character: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`m${i}`, 1])),
      },
    ],
  ])('is not there with %s', (_, name, sent) => {
    expect(corrected(operation(name), { ...sent, foo: 1 }, [unknown('foo')])).toBeUndefined()
  })

  it('leaves a key out that came among the members', () => {
    const sent = { name: 'Other', api_key: token }
    expect(corrected(operation('api_keys.create'), sent, [unknown('api_key')])).toEqual({
      name: 'Other',
    })
  })

  it('leaves out of a read what it does not know', () => {
    const sent = { status: ['faild'], foo: 1 }
    const faults = [unknown('foo'), { pointer: '/status/0', message: '', code: 'invalid_value' }]
    expect(corrected(operation('runs.list'), sent, faults)).toEqual({ status: ['failed'] })
  })

  const wrong = (pointer: string, code = 'invalid_type') => ({ pointer, message: '', code })
  const character = { name: 'V' }
  it.each([
    ['visibility', 'public', { profile_visibility: 'public' }, ''],
    ['heart', [{ name: 'T' }], { tasks: [{ name: 'T' }] }, ''],
    ['heart', { tasks: ['Write'] }, { tasks: [{ name: 'Write' }] }, '/tasks/0'],
    [
      'heart',
      { tasks: [{ name: 'T', triggers: 'manual' }] },
      { tasks: [{ name: 'T', triggers: [{ type: 'manual' }] }] },
      '/tasks/0/triggers',
    ],
    [
      'heart',
      { tasks: [{ name: 'T', approval_gate: true }] },
      { tasks: [{ name: 'T', approval_gate: { requires_approval: true } }] },
      '/tasks/0/approval_gate',
    ],
  ])('has a bare value in the object that is wanted: %s %j', (member, was, right, at) => {
    const sent = { character: { ...character, [member]: was } }
    expect(
      corrected(operation('characters.create'), sent, [wrong(`/character/${member}${at}`)]),
    ).toEqual({ character: { ...character, [member]: right } })
  })

  it.each([
    ['personality', 'kind'],
    ['brain', 'gpt-4'],
    ['visibility', 'hidden'],
    ['visibility', false],
  ])('is not there where several members could hold it, or none: %s %j', (member, was) => {
    const sent = { character: { ...character, [member]: was } }
    const faults = [wrong(`/character/${member}`)]
    expect(corrected(operation('characters.create'), sent, faults)).toBeUndefined()
  })

  it.each([
    [['done'], { status: ['completed'] }],
    [['in_progress', 'error'], { status: ['running', 'failed'] }],
    [['pending'], { status: ['queued'] }],
    [['purple'], {}],
  ])('has the states of a read by another name: %j', (status, right) => {
    const faults = status.map((_, i) => wrong(`/status/${i}`, 'invalid_value'))
    expect(corrected(operation('runs.list'), { status }, faults)).toEqual(right)
  })
})
