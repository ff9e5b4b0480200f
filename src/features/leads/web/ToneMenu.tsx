import type { ReactElement, Ref } from 'react'
import { Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { ToneOption } from '#features/leads/web/LazyMenu.tsx'
import { ClickedMenu } from '#web/shell/ClickedMenu.tsx'
import { Tone } from '#web/shell/Tone.tsx'

interface Props {
  label: string
  target: ReactElement<{ ref?: Ref<HTMLButtonElement> }>
  options: readonly ToneOption[]
  chosen: number
  onChoose: (id: number) => void
}

export default function ToneMenu({ label, target, options, chosen, onChoose }: Props) {
  return (
    <ClickedMenu target={target} position="bottom-start" width={190}>
      <Menu.Dropdown aria-label={label}>
        {options.map(({ id, name, tone, whyNot }) => (
          <Menu.Item
            key={id}
            disabled={whyNot !== undefined}
            title={whyNot}
            rightSection={id === chosen ? <IconCheck size={14} aria-label="chosen" /> : undefined}
            onClick={() => id !== chosen && onChoose(id)}
          >
            <Tone tone={tone}>{name}</Tone>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </ClickedMenu>
  )
}
