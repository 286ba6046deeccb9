import * as z from 'zod'
import { asCharId } from '../commons/writer.ts'
import type { FaultItem, Refusal } from '../errors.ts'
import { isMap } from '../maps.ts'
import { takesAgent } from '../operation-facts.ts'
import type { Operation } from '../operation.ts'
import { memberOf, stepOf } from '../text/text.ts'
import { call } from '../words/reference.ts'
import { corrected, membersAt } from './corrected.ts'
import { placeAt, rangeOf } from './correction/place.ts'

const toldAtMost = 5
const wordsAtMost = 200

/**
 * The refusal of an input with what to do about it, if it has no hint yet: the right names, and the caller's own call
 * put right. Where it is not certain what was meant, what is wrong is named, and no call that would do something else.
 * @param sent the input, as the faults point into it
 */
export function ledOn(refusal: Refusal, op: Operation, sent: unknown): Refusal {
  const { hint, errors = [] } = refusal
  if (hint !== undefined) return refusal
  const renamed = errors.flatMap(({ pointer, suggestion, code }) =>
    suggestion === undefined || code !== 'unknown_member'
      ? []
      : [`"${suggestion}" in place of "${memberOf(pointer).slice(0, 100)}"`],
  )
  const first = renamed.length > 0 ? `Send ${renamed.slice(0, toldAtMost).join(', ')}. ` : ''
  const right = inFile(op, sent) ?? corrected(op, sent, errors)
  const before = lacksGiven(op, sent, errors)
    ? `Call ${call(op.first ?? '')} first, and send what it gives. `
    : ''
  if (right) {
    const shown = `${first}${leftOut(errors, sent, right)}${ranges(op, errors)}${before}For example: ${call(op.name, right)}.`
    return refusal.withHint(shown + whoWrites(op, right))
  }
  const look = `${call('operations.get', { name: op.name })} shows all that it takes.`
  return refusal.withHint(
    `${first}${before}${wrong(op, errors, sent)}Send the rest as it was: ${look}`,
  )
}

/** From what to what numbers may be that are beyond it: what a fault says is the side that they are beyond. */
function ranges(op: Operation, errors: readonly FaultItem[]): string {
  const told = errors.flatMap(({ pointer, code }) => {
    const range = /^too_(?:big|small)$/.test(code) && rangeOf(placeAt(op, pointer).schema)
    return range ? [`"${memberOf(pointer)}" is from ${range[0]} to ${range[1]}. `] : []
  })
  return told.slice(0, toldAtMost).join('')
}

/** What the call that is shown has not of what came, though no other name stands for it. */
function leftOut(errors: readonly FaultItem[], sent: unknown, right: object): string {
  const own = isMap(sent) ? sent : {}
  const names = errors.flatMap(({ pointer, suggestion, code }) => {
    const name = stepOf(pointer.split('/')[1] ?? '')
    const isGone = Object.hasOwn(own, name) && !Object.hasOwn(right, name)
    return isGone && !(code === 'unknown_member' && suggestion !== undefined) ? [name] : []
  })
  const told = [...new Set(names)].slice(0, toldAtMost).map((name) => `"${name.slice(0, 100)}"`)
  return told.length > 0 ? `Leave ${told.join(', ')} out. ` : ''
}

/** That the agent has to be named too, for those whose credential says no one. */
function whoWrites(op: Operation, shown: object): string {
  return takesAgent(op) && !Object.hasOwn(shown, asCharId)
    ? ` A key of the account adds "${asCharId}", the agent that it calls for.`
    : ''
}

/** Whether what another operation gives was not sent under any name. */
function lacksGiven({ first, input }: Operation, sent: unknown, errors: readonly FaultItem[]) {
  if (first === undefined) return false
  const own = isMap(sent) ? sent : {}
  const renamed = new Set(errors.map(({ suggestion }) => suggestion))
  return Object.entries(input.shape).some(
    ([name, schema]) =>
      given.test(name) &&
      !Object.hasOwn(own, name) &&
      !renamed.has(name) &&
      !schema.safeParse(undefined).success,
  )
}

/** Names of members that only an answer can fill. */
const given = /(?:^|_)(?:challenge|token)$/

/** What has to be put right by the caller, who alone knows what was meant. */
function wrong(op: Operation, errors: readonly FaultItem[], sent: unknown): string {
  // What comes under its right name needs no other correction.
  const renamed = new Set(errors.map(({ suggestion }) => suggestion))
  const left = errors.filter(
    ({ suggestion, pointer }) => suggestion === undefined && !renamed.has(memberOf(pointer)),
  )
  const told = left.slice(0, toldAtMost).map(({ pointer, message, code }) => {
    const name = `"${memberOf(pointer).slice(0, 100)}"`
    return code === 'unknown_member'
      ? `leave ${name} out`
      : `correct ${name} (${message.slice(0, wordsAtMost).replace(/\.$/, '')}${holding(op, pointer, code)})`
  })
  const [one = '', ...more] = told
  if (one === '' || sent === undefined) return ''
  return `${[one[0]?.toUpperCase() + one.slice(1), ...more].join(', ')}. `
}

/** The first members of an object that did not come as one. */
function holding(op: Operation, pointer: string, code: string): string {
  const members = code === 'invalid_type' ? membersAt(op, pointer) : undefined
  if (!members || members.length === 0) return ''
  return `: it has ${members
    .slice(0, toldAtMost)
    .map((name) => `"${name}"`)
    .join(', ')}${members.length > toldAtMost ? ' …' : ''}`
}

const anything = z.looseObject({})

/** The call with the members that came as the file of JSON that they were meant to be. */
function inFile(op: Operation, sent: unknown): Record<string, unknown> | undefined {
  const { files, example } = op
  const file = files && example[files.member]
  if (!files || !isMap(file) || !isMap(sent) || Object.hasOwn(sent, files.member)) return undefined
  const { filename } = file
  if (typeof filename !== 'string' || !filename.endsWith('.json')) return undefined
  const strays = Object.entries(sent).filter(([name]) => !Object.hasOwn(op.input.shape, name))
  const own = Object.entries(sent).filter(([name]) => Object.hasOwn(op.input.shape, name))
  const content = corrected({ ...op, input: anything }, Object.fromEntries(strays), [])
  if (!content || strays.length === 0) return undefined
  const data = Buffer.from(JSON.stringify(content)).toString('base64')
  return { ...Object.fromEntries(own), [files.member]: { filename, data } }
}
