import { TagsInput, type TagsInputProps } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { addressesIn } from '#web/mail/emailText.ts'

interface Props extends Omit<TagsInputProps, 'value' | 'onChange'> {
  value?: readonly string[]
  onChange: (addresses: string[]) => void
}

/** Field for several email addresses, which can be pasted with names. */
export default function AddressesInput({ value = [], onChange, ...rest }: Props) {
  return (
    <TagsInput
      {...rest}
      size="xs"
      value={[...value]}
      onChange={(typed) => onChange([...new Set(typed.flatMap(addressesIn))])}
      splitChars={[',', ';']}
      acceptValueOnBlur
    />
  )
}
