import { describe, expect, it } from 'vitest'
import { groups } from '../groups.ts'
import { bareLoads, productLoads } from '../loads.ts'
import { ratiosOf } from '../rounds.ts'
import { verdictOf, type Target } from './target.ts'
import { askedRows, rows, rowsOf, targetOf } from './targets.ts'

const row = { what: 'a row', group: 'doors', load: 'read', unit: 'times' } as const

describe('a verdict', () => {
  const most: Target = { ...row, target: 1.5, alarm: 2 }
  const least: Target = { ...row, target: 1, alarm: 0.6, least: true }

  it.each([
    [most, 1.5, 'met'],
    [most, 1.51, 'missed'],
    [most, 2.01, 'ALARM'],
    [least, 1, 'met'],
    [least, 0.99, 'missed'],
    [least, 0.59, 'ALARM'],
    [{ ...row, target: 1.5 }, 9, 'missed'],
    [row, 9, undefined],
  ])('of %j at %d is %s', (target, value, verdict) => {
    expect(verdictOf(target, value)).toBe(verdict)
  })
})

describe('the ratio to a floor', () => {
  const slice = { requests: 100, seconds: 1, p50: 1, x: 1 }

  it('is the median of what each round gave: between rounds the machine may slow down', () => {
    const own = [20, 60, 36].map((cpu) => ({ ...slice, cpu, p99: cpu / 10 }))
    const floor = [10, 30, 10].map((cpu) => ({ ...slice, cpu, p99: cpu / 5, requests: 200 }))
    expect(ratiosOf(own, floor)).toMatchObject({ cpu: 2, p99: 1, aSecond: 0.5 })
    expect(ratiosOf(own, floor).floor).toMatchObject({ cpu: 10, aSecond: 200 })
  })
})

describe('the rows', () => {
  it('are those that are asked for by their names or groups, in the order of the table', () => {
    expect(askedRows(['list', 'read'], false)).toEqual(['read', 'list'])
    expect(askedRows(['tokens'], false)).toEqual(['listBytes', 'listBytesCore'])
  })

  it('are all without those that take minutes, unless they are wanted or named', () => {
    const isLong = (name: (typeof rows)[number]): boolean => targetOf(name).long === true
    expect(askedRows([], false).some(isLong)).toBe(false)
    expect(askedRows([], true)).toEqual(rows)
    expect(askedRows(['wide'], false)).toEqual(['wideRead', 'wideCreate'])
  })

  it('are listed where a name is wrong', () => {
    expect(() => askedRows(['raed'], false)).toThrow(
      /no row raed.*doors: read, readByToken, list, create/s,
    )
  })

  it('belong each to a group that measures it', () => {
    const measured = groups.flatMap(({ name }) => rowsOf(name))
    expect(new Set(measured)).toEqual(new Set(rows))
  })

  it('of the doors name loads and floors that there are', () => {
    const keys = { reader: '', lister: '', writer: '', token: '', run: '' }
    const loads = new Set([...Object.keys(productLoads(keys)), ...Object.keys(bareLoads())])
    const unknown = rowsOf('doors').flatMap((name) => {
      const { load, floor = load } = targetOf(name)
      return [load, floor].filter((one) => !loads.has(one))
    })
    expect(unknown).toEqual([])
  })

  it('have an alarm beyond their target', () => {
    const wrong = rows.filter((name) => {
      const { alarm, ...rest } = targetOf(name)
      return alarm !== undefined && verdictOf(rest, alarm) !== 'missed'
    })
    expect(wrong).toEqual([])
  })
})
