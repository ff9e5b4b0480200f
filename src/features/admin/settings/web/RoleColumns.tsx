import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { listText } from '#features/admin/settings/web/grants.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import { TextButton } from '#web/parts/controls.tsx'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

interface Props {
  roles: readonly RoleGrants[]
  /** IDs of the roles that are shown; undefined for all. */
  chosen: readonly number[] | undefined
  onChoose: (chosen: number[] | undefined) => void
}

/** Chooses which roles the matrix shows. */
export function RoleColumns({ roles, chosen, onChoose }: Props) {
  const { props, wanted, at } = useMenuButton()
  const names = roles.filter(({ id }) => chosen?.includes(id)).map(({ name }) => name)
  const text = names.length === 0 ? `All ${roles.length}` : names.length > 2 ? names.length : listText(names)
  const toggle = (id: number) => {
    const next = chosen?.includes(id) ? chosen.filter((one) => one !== id) : [...(chosen ?? []), id]
    onChoose(next.length === 0 || next.length === roles.length ? undefined : next)
  }
  return (
    <>
      <TextButton icon={null} {...props}>
        <span className={classes.count}>Roles</span> {text} <IconChevronDown size={14} aria-hidden />
      </TextButton>
      {wanted && (
        <Menu {...at} label="Roles" stays>
          <MenuItem checked={chosen === undefined} onClick={() => onChoose(undefined)}>
            All roles
          </MenuItem>
          <MenuLine />
          {roles.map(({ id, name }) => (
            <MenuItem key={id} checked={chosen?.includes(id) ?? false} onClick={() => toggle(id)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
