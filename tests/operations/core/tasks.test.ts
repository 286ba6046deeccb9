import { describeChapter } from './chapter.ts'

describeChapter('tasks')
