import { cases } from '#tests/operations/cases.ts'
import { describeCore } from '#tests/operations/core/chapter.ts'
import { areaNamed } from './areas.ts'

// Of the cases of every operation those of one area, through the core.
const { cases: operations } = areaNamed(process.env.MUTANTS_AREA ?? '')
describeCore(cases.filter(({ op }) => operations.some((start) => op.startsWith(start))))
