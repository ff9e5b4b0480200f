import { Suspense, useState, type ComponentProps } from 'react'
import { Button } from '@mantine/core'
import { tagItems, type TagName } from '#web/list/tagItems.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const DayMenu = lazyPart(() => import('#web/dates/DayMenu.tsx'), 'DayMenu')

interface Props extends Pick<ComponentProps<typeof Menu>, 'children' | 'searchLabel'> {
  label: string
  disabled: boolean
}

/** A button in the bar of selected rows that opens a menu, such as the statuses to set. */
export function BulkMenu({ label, disabled, ...menu }: Props) {
  const { props, at } = useMenuButton()
  return (
    <>
      <Button size="compact-xs" variant="default" disabled={disabled} {...props}>
        {label}
      </Button>
      <Menu {...at} label={label} width={210} {...menu} />
    </>
  )
}

interface TagsProps {
  tags: readonly TagName[]
  disabled: boolean
  /** `about` names the change, such as `Add tag: Scanner`. */
  onChoose: (change: { kind: 'tags'; tag_id: number; add: boolean }, about: string) => void
}

/** Buttons in the bar of selected rows that add a tag or remove one; the tags can be searched. */
export const BulkTags = ({ tags, disabled, onChoose }: TagsProps) =>
  (['Add', 'Remove'] as const).map((verb) => (
    <BulkMenu key={verb} label={`${verb} tag`} searchLabel="Search tags" disabled={disabled}>
      {(typed) =>
        tagItems(tags, typed, ({ id, name }) => (
          <MenuItem
            key={id}
            onClick={() =>
              onChoose({ kind: 'tags', tag_id: id, add: verb === 'Add' }, `${verb} tag: ${name}`)
            }
          >
            {name}
          </MenuItem>
        ))
      }
    </BulkMenu>
  ))

interface DayProps extends Pick<Props, 'label' | 'disabled'> {
  /** Name of the dialog, such as `Follow-up date of selected leads`. */
  dialog: string
  /** Null clears the date. */
  onChoose: (day: string | null) => void
}

/** A button in the bar of selected rows that sets a date. */
export function BulkDay({ label, dialog, disabled, onChoose }: DayProps) {
  const [wanted, setWanted] = useState(false)
  const button = (props: object = {}) => (
    <Button
      size="compact-xs"
      variant="default"
      disabled={disabled}
      aria-haspopup="dialog"
      onClick={() => setWanted(true)}
      {...props}
    >
      {label}
    </Button>
  )
  if (!wanted) return button()
  return (
    <Suspense fallback={button()}>
      <DayMenu label={dialog} target={button} day={null} mayRemove onChoose={onChoose} />
    </Suspense>
  )
}
