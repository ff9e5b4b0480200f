import { getCountries, ParseError, parsePhoneNumberWithError, type CountryCode } from 'libphonenumber-js/min'

/* The time zone of a person or a company, by their phone number or country. */

export interface FoundZone {
  zone: string
  /** The value that it was found by. */
  from: 'phone' | 'country'
  /** The country in English, or the area code of a number in the US or Canada. */
  place: string
}

/** Returns a time zone, if the phone number or the country leaves no choice; the phone number comes first. */
export function zoneOf({
  phone = '',
  country = '',
}: {
  phone?: string
  country?: string
}): FoundZone | undefined {
  const home = countryOf(country)
  return byPhone(phone, home) ?? (home && byCountry(home, 'country'))
}

function byPhone(phone: string, home: CountryCode | undefined): FoundZone | undefined {
  if (phone === '') return undefined
  try {
    const number = parsePhoneNumberWithError(phone, { defaultCountry: home, extract: false })
    // Without a country code, only the area code of such a number says more than the country.
    if (number.country !== 'US' && number.country !== 'CA')
      return phone.startsWith('+') && number.country ? byCountry(number.country, 'phone') : undefined
    const area = number.nationalNumber.slice(0, 3)
    const zone = number.isPossible() ? zoneOfArea.get(area) : undefined
    return zone === undefined ? undefined : { zone, from: 'phone', place: `area code ${area}` }
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

function byCountry(country: CountryCode, from: FoundZone['from']): FoundZone | undefined {
  const zone = mainZones[country] ?? onlyZone(country)
  return zone === undefined ? undefined : { zone, from, place: nameOf(country, 'en') ?? country }
}

/** Countries in which nearly everyone lives in one of several time zones, or whose time zone has several names. */
const mainZones: { readonly [Country in CountryCode]?: string } = {
  AR: 'America/Argentina/Buenos_Aires',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  ES: 'Europe/Madrid',
  IN: 'Asia/Kolkata',
  MM: 'Asia/Yangon',
  NP: 'Asia/Kathmandu',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  UA: 'Europe/Kyiv',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
}

const found = new Map<CountryCode, string | undefined>()
/** Returns the time zone of a country; undefined if its clocks differ. */
function onlyZone(country: CountryCode): string | undefined {
  if (!found.has(country)) found.set(country, findOnlyZone(country))
  return found.get(country)
}

function findOnlyZone(country: CountryCode): string | undefined {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones(): string[] | undefined }
  const [first, ...others] = locale.getTimeZones() ?? []
  return first !== undefined && others.every((zone) => clocksOf(zone) === clocksOf(first)) ? first : undefined
}

/** Instants before and after the changes of clocks in both halves of the year, and of some years ahead. */
const instants = [2026, 2030].flatMap((year) =>
  [0, 2, 3, 5, 8, 9, 10].map((month) => Date.UTC(year, month, 28, 12)),
)

/** Returns what clocks in a time zone show at these instants. */
function clocksOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return instants.map((at) => format.format(at)).join()
}

/** Languages in which people write the names of their countries. */
const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'sv',
  'da',
  'nb',
  'fi',
  'pl',
  'cs',
  'ja',
] as const
const otherNames: Readonly<Record<string, CountryCode>> = {
  usa: 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  'south korea': 'KR',
  uae: 'AE',
  turkey: 'TR',
}

const plain = (name: string) => name.toLowerCase().replaceAll('.', '').trim()
const nameOf = (country: CountryCode, language: string) =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(country)

let byName: Map<string, CountryCode> | undefined
/** Returns the country with this name or code; undefined if there is none. */
function countryOf(name: string): CountryCode | undefined {
  if (name === '') return undefined
  byName ??= new Map([
    ...languages.flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
      return getCountries().map((country) => [plain(names.of(country) ?? country), country] as const)
    }),
    ...getCountries().map((country) => [country.toLowerCase(), country] as const),
    ...Object.entries(otherNames),
  ])
  return byName.get(plain(name))
}

/**
 * Area codes of the US and Canada by the time zone of nearly everyone there. Those that have several, such as 208 and
 * 850, are left out.
 */
const areas: Readonly<Record<string, string>> = {
  'US/Eastern': `201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305
    313 315 321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 423 434 436 440 443 445
    470 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 582 585 586 607 609 610 614 616 617 624 631 640 645 646
    656 667 678 679 680 681 686 689 703 704 706 716 717 718 724 726 727 732 734 740 743 754 757 762 770 771 772 774 781 786
    802 803 804 810 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 861 862 863 864 865 878 904 908 910 912
    914 917 919 929 930 934 937 941 943 947 948 954 959 973 978 980 984 989`,
  'US/Central': `205 210 214 217 218 224 225 228 251 254 256 262 274 281 309 312 314 316 318 319 320 325 331 334 337 346 353
    361 402 405 409 414 417 430 432 447 464 469 471 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608 612 615
    618 629 630 636 638 641 651 659 660 662 682 708 712 713 715 730 731 737 763 769 773 779 806 815 816 817 830 832 847 870
    872 901 903 913 918 920 936 938 940 945 952 956 972 975 979 985`,
  'US/Mountain': '303 307 385 406 435 505 575 719 720 801 915 970 983',
  'US/Arizona': '480 520 602 623',
  'US/Pacific': `206 209 213 253 279 310 323 341 350 360 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657
    661 669 702 707 714 725 738 747 760 775 805 818 820 831 837 840 858 909 916 925 949 951`,
  'US/Alaska': '907',
  'US/Hawaii': '808',
  'Canada/Atlantic': '506 782 902',
  'Canada/Newfoundland': '709',
  'Canada/Eastern': `226 249 263 289 343 354 365 367 382 387 416 418 437 438 450 468 514 519 548 579 581 613 647 683 705 742
    753 819 873 905 942`,
  'Canada/Central': '204 431 584',
  'Canada/Saskatchewan': '306 474 639',
  'Canada/Mountain': '368 403 587 780 825',
  'Canada/Pacific': '236 250 257 604 672 778',
}
const zoneOfArea = new Map(
  Object.entries(areas).flatMap(([zone, codes]) => codes.split(/\s+/).map((code) => [code, zone] as const)),
)
