import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begins with the files that drive whole processes: they take longest, and one that came last would
 * keep a single worker busy while the others have nothing left to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      /\/tests\/(e2e|copying|operations)\//.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
