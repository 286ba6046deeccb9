import { describe, expect, it } from 'vitest'
import { readReport } from '#src/core/conformance-report.ts'
import { reportText } from '#tests/e2e/conformance/report-file.ts'
import { lines, suiteName } from '#tests/e2e/conformance/suite.ts'
import { read } from './tree.ts'

interface Package {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const text = read('src/core/conformance-report.json')
const report = readReport(text)
// The package file is ours.
const { version, dependencies, devDependencies } = JSON.parse(read('package.json')) as Package

describe('the conformance report', () => {
  it('is of this version, in the form in which it is written', () => {
    expect(report?.version).toBe(version)
    expect(report && reportText(report)).toBe(text)
  })

  it('tells of nothing that fails without being meant to', () => {
    const all = [...(report?.suites ?? []), ...(report?.clients ?? [])]
    const failed = all.flatMap(({ scenarios }) =>
      scenarios.filter((one) => one.status === 'failed'),
    )
    expect(failed).toEqual([])
    expect(report?.doors.doors.map(({ name, failed }) => [name, failed])).toEqual([
      ['rest', 0],
      ['mcp', 0],
      ['a2a', 0],
    ])
    expect(report?.doors.same.failed).toBe(0)
  })

  it('is of the suites that are played now', () => {
    const told = report?.suites
      .filter(({ target }) => target !== 'contract')
      .map(({ name, version, era }) => `${name} ${version} ${era}`)
    const played = lines.map(({ release, revision }) => `${suiteName} ${release} ${revision}`)
    expect(new Set(told)).toEqual(new Set(played))
  })

  it('is of the clients that are installed now', () => {
    const installed = { ...dependencies, ...devDependencies }
    const told = report?.clients.filter(({ name }) => name in installed) ?? []
    expect(told.length).toBeGreaterThan(5)
    for (const { name, version } of told) expect([name, version]).toEqual([name, installed[name]])
  })
})
