// All that this thread is for: the libraries behind it, of many megabytes, are mapped into the process.
import 'sharp'
