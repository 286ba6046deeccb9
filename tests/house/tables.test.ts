import { expect, it } from 'vitest'
import { effects } from '#src/effects.ts'
import { purges } from '#src/purges.ts'
import { read, sources } from './tree.ts'

/** Where a place becomes free without a write that tells so. */
const ofPlaces = ['src/runs/ending/end-run.ts', 'src/runs/ending/park.ts']
/** Where what other processes have touched wakes it. */
const ofOthers = ['src/work/watch.ts']

it('background work is woken by the effects of commits alone', () => {
  const calls = sources('src', 'protocol', 'adapters').filter((path) =>
    /\bwake\.(?:runs|events|deliveries|knowledge|payments)\(/.test(read(path)),
  )
  const defining = calls.filter((path) => /^export const \w+: Effect = /m.test(read(path)))
  expect(calls.filter((path) => !defining.includes(path))).toEqual([...ofOthers, ...ofPlaces])
})

it('every effect that is defined is in the table, once', () => {
  const names = sources('src').flatMap((path) =>
    [...read(path).matchAll(/^export const (\w+): Effect = /gm)].map(([, name = '']) => name),
  )
  expect(effects.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

it('every purge that is defined is in its table, once', () => {
  const names = sources('src').flatMap((path) =>
    [...read(path).matchAll(/^export const (\w+): Purge = /gm)].map(([, name = '']) => name),
  )
  expect(purges.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})
