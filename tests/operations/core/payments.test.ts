import { describeChapter } from './chapter.ts'

describeChapter('payments')
