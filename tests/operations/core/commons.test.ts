import { describeChapter } from './chapter.ts'

describeChapter('commons')
