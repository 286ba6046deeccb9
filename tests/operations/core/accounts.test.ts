import { describeChapter } from './chapter.ts'

describeChapter('accounts')
