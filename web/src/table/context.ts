// The table that the parts inside a table's page belong to.

import { getContext, setContext } from "svelte";
import type { OneTable } from "./table.svelte";

const KEY = Symbol("table");

export const setTable = (table: OneTable): void => void setContext(KEY, table);
export const getTable = (): OneTable => getContext(KEY);
