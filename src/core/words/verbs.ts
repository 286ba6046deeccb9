import type { Method } from '../operation-facts.ts'
import { soughtBy, type Sought } from './meant.ts'

/** The methods as operations have them. */
export const usual: Readonly<Record<string, Method>> = {
  GET: 'GET',
  HEAD: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PUT',
  DELETE: 'DELETE',
}

/** What a method says that no word of the address does. */
export const verbs: Readonly<Record<string, Sought>> = {
  GET: new Map([
    ['get', 1],
    ['list', 0.8],
  ]),
  POST: soughtBy('create'),
  PUT: new Map([
    ['update', 1],
    ['put', 0.9],
    ['set', 0.9],
    ['edit', 0.8],
    ['cast', 0.8],
  ]),
  PATCH: new Map([
    ['update', 1],
    ['edit', 1],
    ['set', 0.8],
  ]),
  DELETE: new Map([
    ['delete', 1],
    ['remove', 0.9],
    ['revoke', 0.9],
    ['teardown', 0.9],
    ['unlike', 0.8],
  ]),
}
/** What a GET says of a list. */
export const listed: Sought = new Map([
  ['list', 1],
  ['get', 0.8],
  ['log', 0.8],
  ['search', 0.7],
])

const doing: ReadonlySet<string> = new Set(
  `accept ask block cancel cast clone complete decide decision delete edit events event export fail generate heartbeat
  import invoke learn lease like list pause publish share plan preview provision prove rate receive redeliver reject
  remove request restore resume revoke rollback rotate run schedule search send simulate skip teardown unlike update
  validate verify`.split(/\s+/),
)

/** Whether a word says what is done. */
export function isVerb(word: string): boolean {
  return [...soughtBy(word).keys()].some((one) => doing.has(one))
}

/** The verbs that a method stands for in the names of operations, the likeliest first. */
export const plainVerbs: Readonly<Record<string, readonly string[]>> = {
  GET: ['list', 'get'],
  POST: ['create', 'add'],
  PUT: ['update', 'put', 'set'],
  PATCH: ['update', 'edit'],
  DELETE: ['delete', 'remove', 'revoke', 'teardown'],
}

const endings: ReadonlySet<string> = new Set('cancel delete fail remove revoke teardown'.split(' '))

/** What an operation ends or takes away by, if it does: the last word of its name. */
export function endOf(name: string): string | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return endings.has(last) ? last : undefined
}
