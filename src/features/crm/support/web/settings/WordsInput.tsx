import { TagsInput, type TagsInputProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

/** Field for several short texts, which Enter or a comma separates. */
export default function WordsInput(props: TagsInputProps) {
  return <TagsInput {...props} splitChars={[',']} acceptValueOnBlur />
}
