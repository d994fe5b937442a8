// The table whose page a component is part of.

import { getContext, setContext } from "svelte";
import type { OneTable } from "./table.svelte";

const KEY = Symbol("table");

export const setTable = (table: OneTable): void => void setContext(KEY, table);
export const getTable = (): OneTable => getContext(KEY);
