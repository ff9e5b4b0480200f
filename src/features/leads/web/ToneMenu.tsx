import type { ReactElement, ReactNode } from 'react'
import { Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { ToneOption } from '#features/leads/web/LazyMenu.tsx'
import { Tone } from '#web/shell/Tone.tsx'

interface Props {
  label: string
  target: ReactNode
  options: readonly ToneOption[]
  chosen: number
  onChoose: (id: number) => void
}

export default function ToneMenu({ label, target, options, chosen, onChoose }: Props) {
  return (
    <Menu defaultOpened position="bottom-start" width={190} withinPortal>
      <Menu.Target>{target as ReactElement}</Menu.Target>
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
    </Menu>
  )
}
