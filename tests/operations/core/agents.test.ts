import { describeChapter } from './chapter.ts'

describeChapter('agents')
