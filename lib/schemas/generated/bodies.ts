// @ts-nocheck
/** Generated from schemas/bodies and schemas/shared by `npm run generate`. Do not edit. */
import type { ValidateFunction } from 'ajv/dist/2020.js'


const chat_completions = validate0;
const schema0 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/chat-completions.json","type":"object","required":["model","messages"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"messages":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"../shared/message.json"}},"stream":{"if":{"type":"null"},"else":{"type":"boolean"}},"stream_options":{"if":{"type":"null"},"else":{"type":"object","x-no-effect":true,"x-ignore-others":["include_usage","continuous_usage_stats"]}},"n":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":128}},"max_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":2147483647}},"max_completion_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":2147483647}},"stop":{"if":{"type":"null"},"else":{"type":["string","array"],"minLength":1,"maxItems":16,"items":{"type":"string","minLength":1}}},"temperature":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":2}},"top_p":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":1}},"top_k":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"min_p":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":1}},"presence_penalty":{"if":{"type":"null"},"else":{"type":"number","minimum":-2,"maximum":2}},"frequency_penalty":{"if":{"type":"null"},"else":{"type":"number","minimum":-2,"maximum":2}},"repetition_penalty":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":2}},"seed":{"if":{"type":"null"},"else":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"logit_bias":{"if":{"type":"null"},"else":{"type":"object","maxProperties":1024,"propertyNames":{"pattern":"^[0-9]{1,9}$"},"additionalProperties":{"type":"number","minimum":-100,"maximum":100}}},"logprobs":{"if":{"type":"null"},"else":{"type":"boolean"}},"top_logprobs":{"if":{"type":"null"},"else":{"type":"integer","minimum":0,"maximum":20}},"tools":{"if":{"type":"null"},"else":{"type":"array","maxItems":1024,"items":{"$ref":"../shared/tool.json"}}},"tool_choice":{"if":{"type":"null"},"else":{"type":["string","object"],"if":{"type":"string"},"then":{"enum":["auto","none","required"]},"else":{"type":"object","required":["type","function"],"properties":{"type":{"const":"function"},"function":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}}},"parallel_tool_calls":{"if":{"type":"null"},"else":{"type":"boolean"}},"response_format":{"if":{"type":"null"},"else":{"$ref":"../shared/response-format.json"}},"regex":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"reasoning_effort":{"if":{"type":"null"},"else":{"$ref":"#/$defs/effort"}},"reasoning":{"if":{"type":"null"},"else":{"type":"object","properties":{"effort":{"if":{"type":"null"},"else":{"$ref":"#/$defs/effort"}},"enabled":{"if":{"type":"null"},"else":{"type":"boolean"}}},"additionalProperties":false}},"thinking":{"if":{"type":"null"},"else":{"type":"object","required":["type"],"properties":{"type":{"enum":["enabled","disabled"]},"keep":{"if":{"type":"null"},"else":{"const":"all"}},"budget_tokens":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false}},"chat_template_kwargs":{"if":{"type":"null"},"else":{"type":"object","properties":{"enable_thinking":{"if":{"type":"null"},"else":{"type":"boolean"}}},"additionalProperties":false}},"preserve_thinking":{"if":{"type":"null"},"else":{"type":"boolean"}},"metadata":{"if":{"type":"null"},"else":{"x-no-effect":true}},"modalities":{"if":{"type":"null"},"else":{"x-no-effect":true,"type":"array","items":{"const":"text"}}},"prediction":{"if":{"type":"null"},"else":{"x-no-effect":true}},"prompt_cache_key":{"if":{"type":"null"},"else":{"x-no-effect":true}},"prompt_cache_options":{"if":{"type":"null"},"else":{"x-no-effect":true}},"prompt_cache_retention":{"if":{"type":"null"},"else":{"x-no-effect":true}},"safety_identifier":{"if":{"type":"null"},"else":{"x-no-effect":true}},"service_tier":{"if":{"type":"null"},"else":{"x-no-effect":true}},"store":{"if":{"type":"null"},"else":{"x-no-effect":true}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}},"verbosity":{"if":{"type":"null"},"else":{"x-no-effect":true}},"audio":{"if":{"type":"null"},"else":false},"function_call":{"if":{"type":"null"},"else":false},"functions":{"if":{"type":"null"},"else":false},"moderation":{"if":{"type":"null"},"else":false},"web_search_options":{"if":{"type":"null"},"else":false}},"$defs":{"effort":{"enum":["none","low","medium","high","max"]}}};
const schema9 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/shared/tool.json","type":"object","required":["type"],"properties":{"type":{"type":"string"}},"if":{"required":["type"],"properties":{"type":{"const":"function"}}},"then":{"required":["function"],"properties":{"type":true,"function":{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"type":"string"}},"parameters":true,"strict":{"if":{"type":"null"},"else":{"type":"boolean"}},"cache_control":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false},"cache_control":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false}};
const schema10 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/shared/response-format.json","type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"enum":["text","json_object","json_schema"]}}},"then":{"properties":{"type":true,"json_schema":true,"schema":true,"grammar":true},"additionalProperties":false}},{"if":{"required":["type"],"properties":{"type":{"enum":["text","json_schema"]}}},"then":{"properties":{"schema":{"if":{"type":"null"},"else":false}}}},{"if":{"required":["type"],"properties":{"type":{"const":"json_object"}}},"then":{"properties":{"schema":{"if":{"type":"null"},"else":{"type":"object"}}}}},{"if":{"required":["type"],"properties":{"type":{"const":"json_schema"}}},"then":{"required":["json_schema"],"properties":{"json_schema":{"type":"object","properties":{"name":{"if":{"type":"null"},"else":{"type":"string","minLength":1,"maxLength":256}},"description":{"if":{"type":"null"},"else":{"type":"string"}},"schema":{"if":{"type":"null"},"else":{"type":"object"}},"strict":{"if":{"type":"null"},"else":{"type":"boolean"}}},"additionalProperties":false}}}},{"if":{"required":["type"],"properties":{"type":{"const":"grammar"}}},"then":{"properties":{"grammar":{"if":{"type":"null"},"else":{}}}}}]};
const schema11 = {"enum":["none","low","medium","high","max"]};
const func0 = Object.prototype.hasOwnProperty;
const schema1 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/shared/message.json","type":"object","required":["role"],"properties":{"role":{"enum":["system","developer","user","assistant","tool"]}},"discriminator":{"propertyName":"role"},"oneOf":[{"$ref":"#/$defs/system"},{"$ref":"#/$defs/user"},{"$ref":"#/$defs/assistant"},{"$ref":"#/$defs/tool"}],"$defs":{"system":{"type":"object","required":["role","content"],"properties":{"role":{"enum":["system","developer"]},"content":{"$ref":"content.json"},"name":{"if":{"type":"null"},"else":{"type":"string"}}},"x-ignore-others":[]},"user":{"type":"object","required":["role","content"],"properties":{"role":{"const":"user"},"content":{"$ref":"content.json"},"name":{"if":{"type":"null"},"else":{"type":"string"}}},"x-ignore-others":[]},"assistant":{"type":"object","required":["role"],"properties":{"role":{"const":"assistant"},"content":{"if":{"type":"null"},"else":{"$ref":"content.json"}},"name":{"if":{"type":"null"},"else":{"type":"string"}},"refusal":{"if":{"type":"null"},"else":{"type":"string"}},"reasoning_content":{"if":{"type":"null"},"else":{"type":"string"}},"reasoning":{"if":{"type":"null"},"else":{"type":"string"}},"tool_calls":{"if":{"type":"null"},"else":{"type":"array","items":{"$ref":"#/$defs/toolCall"}}},"function_call":{"if":{"type":"null"},"else":false},"audio":{"if":{"type":"null"},"else":false},"prefix":{"if":{"type":"null"},"else":false},"partial":{"if":{"type":"null"},"else":false}},"x-ignore-others":[]},"tool":{"type":"object","required":["role"],"properties":{"role":{"const":"tool"},"tool_call_id":{"if":{"type":"null"},"else":{"type":"string"}},"content":{"if":{"type":"null"},"else":{"$ref":"content.json"}},"name":{"if":{"type":"null"},"else":{"type":"string"}}},"x-ignore-others":[]},"toolCall":{"type":"object","required":["id","function"],"properties":{"id":{"type":"string","minLength":1},"type":{"if":{"type":"null"},"else":{"const":"function"}},"function":{"type":"object","required":["name","arguments"],"properties":{"name":{"type":"string","minLength":1},"arguments":{"type":"string"}},"x-ignore-others":[]}},"x-ignore-others":["index"]}}};
const schema2 = {"type":"object","required":["role","content"],"properties":{"role":{"enum":["system","developer"]},"content":{"$ref":"content.json"},"name":{"if":{"type":"null"},"else":{"type":"string"}}},"x-ignore-others":[]};
const schema3 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/shared/content.json","type":["string","array"],"maxItems":10000,"items":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"text"}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}},"x-ignore-others":["type"]}},{"if":{"required":["type"],"properties":{"type":{"const":"refusal"}}},"then":{"required":["refusal"],"properties":{"refusal":{"type":"string"}},"x-ignore-others":["type"]}},{"if":{"required":["type"],"properties":{"type":{"const":"image_url"}}},"then":{"required":["image_url"],"properties":{"image_url":{"$ref":"#/$defs/image"}},"x-ignore-others":["type"]}}]},"$defs":{"image":{"type":"object","properties":{"url":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"file_id":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"detail":{"if":{"type":"null"},"else":{"enum":["auto","low","high","original"]}}},"x-ignore-others":[]}}};
const schema4 = {"type":"object","properties":{"url":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"file_id":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"detail":{"if":{"type":"null"},"else":{"enum":["auto","low","high","original"]}}},"x-ignore-others":[]};

function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/shared/content.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate3.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (!(Array.isArray(data)))){
validate3.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema3.type}}];
return false;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate3.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
const _errs1 = errors;
const _errs3 = errors;
const _errs4 = errors;
let valid2 = true;
const _errs5 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing0;
if((data0.type === undefined) && (missing0 = "type")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data0.type !== undefined){
if("text" !== data0.type){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
var _valid0 = _errs5 === errors;
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs7 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing1;
if((data0.text === undefined) && (missing1 = "text")){
validate3.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/allOf/0/then/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
if(data0.text !== undefined){
const _errs8 = errors;
if(typeof data0.text !== "string"){
validate3.errors = [{instancePath:instancePath+"/" + i0+"/text",schemaPath:"#/items/allOf/0/then/properties/text/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid4 = _errs8 === errors;
}
else {
var valid4 = true;
}
if(valid4){
for(const name0 in data0){
if(!(name0 === "type" || name0 === "text" || data0[name0] === null)){
this.add(instancePath+"/" + i0, name0);
}
}
}
}
}
var _valid0 = _errs7 === errors;
valid2 = _valid0;
if(valid2){
var props0 = {};
props0.text = true;
props0.type = true;
}
}
if(!valid2){
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate3.errors = vErrors;
return false;
}
var valid1 = _errs3 === errors;
if(valid1){
const _errs10 = errors;
const _errs11 = errors;
let valid5 = true;
const _errs12 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing2;
if((data0.type === undefined) && (missing2 = "type")){
const err3 = {};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
if(data0.type !== undefined){
if("refusal" !== data0.type){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
}
var _valid1 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs14 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing3;
if((data0.refusal === undefined) && (missing3 = "refusal")){
validate3.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/allOf/1/then/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
if(data0.refusal !== undefined){
const _errs15 = errors;
if(typeof data0.refusal !== "string"){
validate3.errors = [{instancePath:instancePath+"/" + i0+"/refusal",schemaPath:"#/items/allOf/1/then/properties/refusal/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid7 = _errs15 === errors;
}
else {
var valid7 = true;
}
if(valid7){
for(const name1 in data0){
if(!(name1 === "type" || name1 === "refusal" || data0[name1] === null)){
this.add(instancePath+"/" + i0, name1);
}
}
}
}
}
var _valid1 = _errs14 === errors;
valid5 = _valid1;
if(valid5){
var props1 = {};
props1.refusal = true;
props1.type = true;
}
}
if(!valid5){
const err5 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate3.errors = vErrors;
return false;
}
var valid1 = _errs10 === errors;
if(valid1){
if(props0 !== true && props1 !== undefined){
if(props1 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props1);
}
}
const _errs17 = errors;
const _errs18 = errors;
let valid8 = true;
const _errs19 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing4;
if((data0.type === undefined) && (missing4 = "type")){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
else {
if(data0.type !== undefined){
if("image_url" !== data0.type){
const err7 = {};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
var _valid2 = _errs19 === errors;
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs21 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing5;
if((data0.image_url === undefined) && (missing5 = "image_url")){
validate3.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/allOf/2/then/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
if(data0.image_url !== undefined){
let data6 = data0.image_url;
const _errs22 = errors;
const _errs23 = errors;
if(errors === _errs23){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.url !== undefined){
let data7 = data6.url;
const _errs25 = errors;
const _errs26 = errors;
let valid13 = true;
const _errs27 = errors;
if(data7 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid3 = _errs27 === errors;
errors = _errs26;
if(vErrors !== null){
if(_errs26){
vErrors.length = _errs26;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs29 = errors;
if(errors === _errs29){
if(typeof data7 === "string"){
if(data7.length < 1){
validate3.errors = [{instancePath:instancePath+"/" + i0+"/image_url/url",schemaPath:"#/$defs/image/properties/url/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate3.errors = [{instancePath:instancePath+"/" + i0+"/image_url/url",schemaPath:"#/$defs/image/properties/url/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid3 = _errs29 === errors;
valid13 = _valid3;
}
if(!valid13){
const err9 = {instancePath:instancePath+"/" + i0+"/image_url/url",schemaPath:"#/$defs/image/properties/url/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate3.errors = vErrors;
return false;
}
var valid12 = _errs25 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data6.file_id !== undefined){
let data8 = data6.file_id;
const _errs31 = errors;
const _errs32 = errors;
let valid14 = true;
const _errs33 = errors;
if(data8 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid4 = _errs33 === errors;
errors = _errs32;
if(vErrors !== null){
if(_errs32){
vErrors.length = _errs32;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs35 = errors;
if(errors === _errs35){
if(typeof data8 === "string"){
if(data8.length < 1){
validate3.errors = [{instancePath:instancePath+"/" + i0+"/image_url/file_id",schemaPath:"#/$defs/image/properties/file_id/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate3.errors = [{instancePath:instancePath+"/" + i0+"/image_url/file_id",schemaPath:"#/$defs/image/properties/file_id/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid4 = _errs35 === errors;
valid14 = _valid4;
}
if(!valid14){
const err11 = {instancePath:instancePath+"/" + i0+"/image_url/file_id",schemaPath:"#/$defs/image/properties/file_id/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate3.errors = vErrors;
return false;
}
var valid12 = _errs31 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data6.detail !== undefined){
let data9 = data6.detail;
const _errs37 = errors;
const _errs38 = errors;
let valid15 = true;
const _errs39 = errors;
if(data9 !== null){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid5 = _errs39 === errors;
errors = _errs38;
if(vErrors !== null){
if(_errs38){
vErrors.length = _errs38;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs41 = errors;
if(!((((data9 === "auto") || (data9 === "low")) || (data9 === "high")) || (data9 === "original"))){
validate3.errors = [{instancePath:instancePath+"/" + i0+"/image_url/detail",schemaPath:"#/$defs/image/properties/detail/else/enum",keyword:"enum",params:{allowedValues: schema4.properties.detail.else.enum}}];
return false;
}
var _valid5 = _errs41 === errors;
valid15 = _valid5;
}
if(!valid15){
const err13 = {instancePath:instancePath+"/" + i0+"/image_url/detail",schemaPath:"#/$defs/image/properties/detail/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate3.errors = vErrors;
return false;
}
var valid12 = _errs37 === errors;
}
else {
var valid12 = true;
}
if(valid12){
for(const name2 in data6){
if(!(name2 === "detail" || name2 === "file_id" || name2 === "url" || data6[name2] === null)){
this.add(instancePath+"/" + i0+"/image_url", name2);
}
}
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/" + i0+"/image_url",schemaPath:"#/$defs/image/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid10 = _errs22 === errors;
}
else {
var valid10 = true;
}
if(valid10){
for(const name3 in data0){
if(!(name3 === "type" || name3 === "image_url" || data0[name3] === null)){
this.add(instancePath+"/" + i0, name3);
}
}
}
}
}
var _valid2 = _errs21 === errors;
valid8 = _valid2;
if(valid8){
var props2 = {};
props2.image_url = true;
props2.type = true;
}
}
if(!valid8){
const err14 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate3.errors = vErrors;
return false;
}
var valid1 = _errs17 === errors;
if(valid1){
if(props0 !== true && props2 !== undefined){
if(props2 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props2);
}
}
}
}
}
if(errors === _errs1){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing6;
if((data0.type === undefined) && (missing6 = "type")){
validate3.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
if(data0.type !== undefined){
if(typeof data0.type !== "string"){
validate3.errors = [{instancePath:instancePath+"/" + i0+"/type",schemaPath:"#/items/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
validate3.errors = vErrors;
return errors === 0;
}
validate3.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};


function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate2.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.role === undefined) && (missing0 = "role")) || ((data.content === undefined) && (missing0 = "content"))){
validate2.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.role !== undefined){
let data0 = data.role;
const _errs1 = errors;
if(!((data0 === "system") || (data0 === "developer"))){
validate2.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema2.properties.role.enum}}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
const _errs2 = errors;
if(!(validate3.call(this, data.content, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs3 = errors;
const _errs4 = errors;
let valid1 = true;
const _errs5 = errors;
if(data2 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs5 === errors;
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs7 = errors;
if(typeof data2 !== "string"){
validate2.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid0 = _errs7 === errors;
valid1 = _valid0;
}
if(!valid1){
const err1 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate2.errors = vErrors;
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const name0 in data){
if(!(name0 === "name" || name0 === "content" || name0 === "role" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
}
}
}
}
else {
validate2.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate2.errors = vErrors;
return errors === 0;
}
validate2.evaluated = {"props":{"role":true,"content":true,"name":true},"dynamicProps":false,"dynamicItems":false};

const schema5 = {"type":"object","required":["role","content"],"properties":{"role":{"const":"user"},"content":{"$ref":"content.json"},"name":{"if":{"type":"null"},"else":{"type":"string"}}},"x-ignore-others":[]};

function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate5.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.role === undefined) && (missing0 = "role")) || ((data.content === undefined) && (missing0 = "content"))){
validate5.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.role !== undefined){
const _errs1 = errors;
if("user" !== data.role){
validate5.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/const",keyword:"const",params:{allowedValue: "user"}}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
const _errs2 = errors;
if(!(validate3.call(this, data.content, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs3 = errors;
const _errs4 = errors;
let valid1 = true;
const _errs5 = errors;
if(data2 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs5 === errors;
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs7 = errors;
if(typeof data2 !== "string"){
validate5.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid0 = _errs7 === errors;
valid1 = _valid0;
}
if(!valid1){
const err1 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate5.errors = vErrors;
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const name0 in data){
if(!(name0 === "name" || name0 === "content" || name0 === "role" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
}
}
}
}
else {
validate5.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate5.errors = vErrors;
return errors === 0;
}
validate5.evaluated = {"props":{"role":true,"content":true,"name":true},"dynamicProps":false,"dynamicItems":false};

const schema6 = {"type":"object","required":["role"],"properties":{"role":{"const":"assistant"},"content":{"if":{"type":"null"},"else":{"$ref":"content.json"}},"name":{"if":{"type":"null"},"else":{"type":"string"}},"refusal":{"if":{"type":"null"},"else":{"type":"string"}},"reasoning_content":{"if":{"type":"null"},"else":{"type":"string"}},"reasoning":{"if":{"type":"null"},"else":{"type":"string"}},"tool_calls":{"if":{"type":"null"},"else":{"type":"array","items":{"$ref":"#/$defs/toolCall"}}},"function_call":{"if":{"type":"null"},"else":false},"audio":{"if":{"type":"null"},"else":false},"prefix":{"if":{"type":"null"},"else":false},"partial":{"if":{"type":"null"},"else":false}},"x-ignore-others":[]};
const schema7 = {"type":"object","required":["id","function"],"properties":{"id":{"type":"string","minLength":1},"type":{"if":{"type":"null"},"else":{"const":"function"}},"function":{"type":"object","required":["name","arguments"],"properties":{"name":{"type":"string","minLength":1},"arguments":{"type":"string"}},"x-ignore-others":[]}},"x-ignore-others":["index"]};

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate7.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.role === undefined) && (missing0 = "role")){
validate7.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.role !== undefined){
const _errs1 = errors;
if("assistant" !== data.role){
validate7.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/const",keyword:"const",params:{allowedValue: "assistant"}}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
let data1 = data.content;
const _errs2 = errors;
const _errs3 = errors;
let valid1 = true;
const _errs4 = errors;
if(data1 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs4 === errors;
errors = _errs3;
if(vErrors !== null){
if(_errs3){
vErrors.length = _errs3;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs6 = errors;
if(!(validate3.call(this, data1, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
valid1 = _valid0;
}
if(!valid1){
const err1 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs7 = errors;
const _errs8 = errors;
let valid2 = true;
const _errs9 = errors;
if(data2 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs9 === errors;
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs11 = errors;
if(typeof data2 !== "string"){
validate7.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid1 = _errs11 === errors;
valid2 = _valid1;
}
if(!valid2){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refusal !== undefined){
let data3 = data.refusal;
const _errs13 = errors;
const _errs14 = errors;
let valid3 = true;
const _errs15 = errors;
if(data3 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs15 === errors;
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs17 = errors;
if(typeof data3 !== "string"){
validate7.errors = [{instancePath:instancePath+"/refusal",schemaPath:"#/properties/refusal/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid2 = _errs17 === errors;
valid3 = _valid2;
}
if(!valid3){
const err5 = {instancePath:instancePath+"/refusal",schemaPath:"#/properties/refusal/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reasoning_content !== undefined){
let data4 = data.reasoning_content;
const _errs19 = errors;
const _errs20 = errors;
let valid4 = true;
const _errs21 = errors;
if(data4 !== null){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid3 = _errs21 === errors;
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs23 = errors;
if(typeof data4 !== "string"){
validate7.errors = [{instancePath:instancePath+"/reasoning_content",schemaPath:"#/properties/reasoning_content/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid3 = _errs23 === errors;
valid4 = _valid3;
}
if(!valid4){
const err7 = {instancePath:instancePath+"/reasoning_content",schemaPath:"#/properties/reasoning_content/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reasoning !== undefined){
let data5 = data.reasoning;
const _errs25 = errors;
const _errs26 = errors;
let valid5 = true;
const _errs27 = errors;
if(data5 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid4 = _errs27 === errors;
errors = _errs26;
if(vErrors !== null){
if(_errs26){
vErrors.length = _errs26;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs29 = errors;
if(typeof data5 !== "string"){
validate7.errors = [{instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid4 = _errs29 === errors;
valid5 = _valid4;
}
if(!valid5){
const err9 = {instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_calls !== undefined){
let data6 = data.tool_calls;
const _errs31 = errors;
const _errs32 = errors;
let valid6 = true;
const _errs33 = errors;
if(data6 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid5 = _errs33 === errors;
errors = _errs32;
if(vErrors !== null){
if(_errs32){
vErrors.length = _errs32;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs35 = errors;
if(errors === _errs35){
if(Array.isArray(data6)){
var valid7 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
const _errs37 = errors;
const _errs38 = errors;
if(errors === _errs38){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if(((data7.id === undefined) && (missing1 = "id")) || ((data7.function === undefined) && (missing1 = "function"))){
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0,schemaPath:"#/$defs/toolCall/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
if(data7.id !== undefined){
let data8 = data7.id;
const _errs40 = errors;
if(errors === _errs40){
if(typeof data8 === "string"){
if(data8.length < 1){
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/id",schemaPath:"#/$defs/toolCall/properties/id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/id",schemaPath:"#/$defs/toolCall/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs40 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data7.type !== undefined){
let data9 = data7.type;
const _errs42 = errors;
const _errs43 = errors;
let valid10 = true;
const _errs44 = errors;
if(data9 !== null){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var _valid6 = _errs44 === errors;
errors = _errs43;
if(vErrors !== null){
if(_errs43){
vErrors.length = _errs43;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs46 = errors;
if("function" !== data9){
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/type",schemaPath:"#/$defs/toolCall/properties/type/else/const",keyword:"const",params:{allowedValue: "function"}}];
return false;
}
var _valid6 = _errs46 === errors;
valid10 = _valid6;
}
if(!valid10){
const err12 = {instancePath:instancePath+"/tool_calls/" + i0+"/type",schemaPath:"#/$defs/toolCall/properties/type/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid9 = _errs42 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data7.function !== undefined){
let data10 = data7.function;
const _errs47 = errors;
if(errors === _errs47){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
let missing2;
if(((data10.name === undefined) && (missing2 = "name")) || ((data10.arguments === undefined) && (missing2 = "arguments"))){
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/function",schemaPath:"#/$defs/toolCall/properties/function/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
if(data10.name !== undefined){
let data11 = data10.name;
const _errs49 = errors;
if(errors === _errs49){
if(typeof data11 === "string"){
if(data11.length < 1){
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/function/name",schemaPath:"#/$defs/toolCall/properties/function/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/function/name",schemaPath:"#/$defs/toolCall/properties/function/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid11 = _errs49 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data10.arguments !== undefined){
const _errs51 = errors;
if(typeof data10.arguments !== "string"){
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/function/arguments",schemaPath:"#/$defs/toolCall/properties/function/properties/arguments/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid11 = _errs51 === errors;
}
else {
var valid11 = true;
}
if(valid11){
for(const name0 in data10){
if(!(name0 === "arguments" || name0 === "name" || data10[name0] === null)){
this.add(instancePath+"/tool_calls/" + i0+"/function", name0);
}
}
}
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0+"/function",schemaPath:"#/$defs/toolCall/properties/function/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs47 === errors;
}
else {
var valid9 = true;
}
if(valid9){
for(const name1 in data7){
if(!(name1 === "index" || name1 === "function" || name1 === "type" || name1 === "id" || data7[name1] === null)){
this.add(instancePath+"/tool_calls/" + i0, name1);
}
}
}
}
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/tool_calls/" + i0,schemaPath:"#/$defs/toolCall/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid7 = _errs37 === errors;
if(!valid7){
break;
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/tool_calls",schemaPath:"#/properties/tool_calls/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid5 = _errs35 === errors;
valid6 = _valid5;
}
if(!valid6){
const err13 = {instancePath:instancePath+"/tool_calls",schemaPath:"#/properties/tool_calls/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.function_call !== undefined){
const _errs53 = errors;
const _errs54 = errors;
let valid12 = true;
const _errs55 = errors;
if(data.function_call !== null){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid7 = _errs55 === errors;
errors = _errs54;
if(vErrors !== null){
if(_errs54){
vErrors.length = _errs54;
}
else {
vErrors = null;
}
}
if(!_valid7){
var _valid7 = false;
validate7.errors = [{instancePath:instancePath+"/function_call",schemaPath:"#/properties/function_call/else/false schema",keyword:"false schema",params:{}}];
return false;
valid12 = _valid7;
}
if(!valid12){
const err15 = {instancePath:instancePath+"/function_call",schemaPath:"#/properties/function_call/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs53 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.audio !== undefined){
const _errs57 = errors;
const _errs58 = errors;
let valid13 = true;
const _errs59 = errors;
if(data.audio !== null){
const err16 = {};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid8 = _errs59 === errors;
errors = _errs58;
if(vErrors !== null){
if(_errs58){
vErrors.length = _errs58;
}
else {
vErrors = null;
}
}
if(!_valid8){
var _valid8 = false;
validate7.errors = [{instancePath:instancePath+"/audio",schemaPath:"#/properties/audio/else/false schema",keyword:"false schema",params:{}}];
return false;
valid13 = _valid8;
}
if(!valid13){
const err17 = {instancePath:instancePath+"/audio",schemaPath:"#/properties/audio/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs57 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prefix !== undefined){
const _errs61 = errors;
const _errs62 = errors;
let valid14 = true;
const _errs63 = errors;
if(data.prefix !== null){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid9 = _errs63 === errors;
errors = _errs62;
if(vErrors !== null){
if(_errs62){
vErrors.length = _errs62;
}
else {
vErrors = null;
}
}
if(!_valid9){
var _valid9 = false;
validate7.errors = [{instancePath:instancePath+"/prefix",schemaPath:"#/properties/prefix/else/false schema",keyword:"false schema",params:{}}];
return false;
valid14 = _valid9;
}
if(!valid14){
const err19 = {instancePath:instancePath+"/prefix",schemaPath:"#/properties/prefix/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs61 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partial !== undefined){
const _errs65 = errors;
const _errs66 = errors;
let valid15 = true;
const _errs67 = errors;
if(data.partial !== null){
const err20 = {};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
var _valid10 = _errs67 === errors;
errors = _errs66;
if(vErrors !== null){
if(_errs66){
vErrors.length = _errs66;
}
else {
vErrors = null;
}
}
if(!_valid10){
var _valid10 = false;
validate7.errors = [{instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/else/false schema",keyword:"false schema",params:{}}];
return false;
valid15 = _valid10;
}
if(!valid15){
const err21 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
validate7.errors = vErrors;
return false;
}
var valid0 = _errs65 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const name2 in data){
if(!(name2 === "partial" || name2 === "prefix" || name2 === "audio" || name2 === "function_call" || name2 === "tool_calls" || name2 === "reasoning" || name2 === "reasoning_content" || name2 === "refusal" || name2 === "name" || name2 === "content" || name2 === "role" || data[name2] === null)){
this.add(instancePath, name2);
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate7.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"props":{"role":true,"content":true,"name":true,"refusal":true,"reasoning_content":true,"reasoning":true,"tool_calls":true,"function_call":true,"audio":true,"prefix":true,"partial":true},"dynamicProps":false,"dynamicItems":false};

const schema8 = {"type":"object","required":["role"],"properties":{"role":{"const":"tool"},"tool_call_id":{"if":{"type":"null"},"else":{"type":"string"}},"content":{"if":{"type":"null"},"else":{"$ref":"content.json"}},"name":{"if":{"type":"null"},"else":{"type":"string"}}},"x-ignore-others":[]};

function validate9(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate9.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.role === undefined) && (missing0 = "role")){
validate9.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.role !== undefined){
const _errs1 = errors;
if("tool" !== data.role){
validate9.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/const",keyword:"const",params:{allowedValue: "tool"}}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_call_id !== undefined){
let data1 = data.tool_call_id;
const _errs2 = errors;
const _errs3 = errors;
let valid1 = true;
const _errs4 = errors;
if(data1 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs4 === errors;
errors = _errs3;
if(vErrors !== null){
if(_errs3){
vErrors.length = _errs3;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs6 = errors;
if(typeof data1 !== "string"){
validate9.errors = [{instancePath:instancePath+"/tool_call_id",schemaPath:"#/properties/tool_call_id/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid0 = _errs6 === errors;
valid1 = _valid0;
}
if(!valid1){
const err1 = {instancePath:instancePath+"/tool_call_id",schemaPath:"#/properties/tool_call_id/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate9.errors = vErrors;
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
let data2 = data.content;
const _errs8 = errors;
const _errs9 = errors;
let valid2 = true;
const _errs10 = errors;
if(data2 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs10 === errors;
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs12 = errors;
if(!(validate3.call(this, data2, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
var _valid1 = _errs12 === errors;
valid2 = _valid1;
}
if(!valid2){
const err3 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate9.errors = vErrors;
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data3 = data.name;
const _errs13 = errors;
const _errs14 = errors;
let valid3 = true;
const _errs15 = errors;
if(data3 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs15 === errors;
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs17 = errors;
if(typeof data3 !== "string"){
validate9.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid2 = _errs17 === errors;
valid3 = _valid2;
}
if(!valid3){
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate9.errors = vErrors;
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const name0 in data){
if(!(name0 === "name" || name0 === "content" || name0 === "tool_call_id" || name0 === "role" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
}
}
}
}
}
else {
validate9.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate9.errors = vErrors;
return errors === 0;
}
validate9.evaluated = {"props":{"role":true,"tool_call_id":true,"content":true,"name":true},"dynamicProps":false,"dynamicItems":false};


function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/shared/message.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate1.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.role === undefined) && (missing0 = "role")){
validate1.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.role !== undefined){
let data0 = data.role;
const _errs2 = errors;
if(!(((((data0 === "system") || (data0 === "developer")) || (data0 === "user")) || (data0 === "assistant")) || (data0 === "tool"))){
validate1.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema1.properties.role.enum}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
const tag0 = data.role;
if(typeof tag0 == "string"){
if(tag0 === "system"){
if(!(validate2.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
var props0 = {};
props0.role = true;
props0.content = true;
props0.name = true;
}
else if(tag0 === "developer"){
if(!(validate2.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.role = true;
props0.content = true;
props0.name = true;
}
}
else if(tag0 === "user"){
if(!(validate5.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.role = true;
props0.content = true;
props0.name = true;
}
}
else if(tag0 === "assistant"){
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.role = true;
props0.content = true;
props0.name = true;
props0.refusal = true;
props0.reasoning_content = true;
props0.reasoning = true;
props0.tool_calls = true;
props0.function_call = true;
props0.audio = true;
props0.prefix = true;
props0.partial = true;
}
}
else if(tag0 === "tool"){
if(!(validate9.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate9.errors : vErrors.concat(validate9.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.role = true;
props0.tool_call_id = true;
props0.content = true;
props0.name = true;
}
}
else {
validate1.errors = [{instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "role", tagValue: tag0}}];
return false;
}
}
else {
validate1.errors = [{instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "role", tagValue: tag0}}];
return false;
}
}
}
}
else {
validate1.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate1.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate1.evaluated = {"dynamicProps":true,"dynamicItems":false};

const pattern0 = new RegExp("^[0-9]{1,9}$", "u");

function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/chat-completions.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate0.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.model === undefined) && (missing0 = "model")) || ((data.messages === undefined) && (missing0 = "messages"))){
validate0.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema0.properties, key0))){
validate0.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate0.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
let data1 = data.messages;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
if(data1.length > 10000){
validate0.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
if(data1.length < 1){
validate0.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate1.call(this, data1[i0], {instancePath:instancePath+"/messages/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream !== undefined){
let data3 = data.stream;
const _errs7 = errors;
const _errs8 = errors;
let valid2 = true;
const _errs9 = errors;
if(data3 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs9 === errors;
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs11 = errors;
if(typeof data3 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid0 = _errs11 === errors;
valid2 = _valid0;
}
if(!valid2){
const err1 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream_options !== undefined){
let data4 = data.stream_options;
const _errs13 = errors;
const _errs14 = errors;
let valid3 = true;
const _errs15 = errors;
if(data4 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs15 === errors;
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs17 = errors;
if(errors === _errs17){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const name0 in data4){
if(!(name0 === "continuous_usage_stats" || name0 === "include_usage" || data4[name0] === null)){
this.add(instancePath+"/stream_options", name0);
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/stream_options",schemaPath:"#/properties/stream_options/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid1 = _errs17 === errors;
valid3 = _valid1;
}
if(!valid3){
const err3 = {instancePath:instancePath+"/stream_options",schemaPath:"#/properties/stream_options/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.n !== undefined){
let data5 = data.n;
const _errs19 = errors;
const _errs20 = errors;
let valid4 = true;
const _errs21 = errors;
if(data5 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs21 === errors;
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs23 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate0.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs23){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 128 || isNaN(data5)){
validate0.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 128}}];
return false;
}
else {
if(data5 < 1 || isNaN(data5)){
validate0.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid2 = _errs23 === errors;
valid4 = _valid2;
}
if(!valid4){
const err5 = {instancePath:instancePath+"/n",schemaPath:"#/properties/n/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_tokens !== undefined){
let data6 = data.max_tokens;
const _errs25 = errors;
const _errs26 = errors;
let valid5 = true;
const _errs27 = errors;
if(data6 !== null){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid3 = _errs27 === errors;
errors = _errs26;
if(vErrors !== null){
if(_errs26){
vErrors.length = _errs26;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs29 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate0.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs29){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 2147483647 || isNaN(data6)){
validate0.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data6 < 1 || isNaN(data6)){
validate0.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid3 = _errs29 === errors;
valid5 = _valid3;
}
if(!valid5){
const err7 = {instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_completion_tokens !== undefined){
let data7 = data.max_completion_tokens;
const _errs31 = errors;
const _errs32 = errors;
let valid6 = true;
const _errs33 = errors;
if(data7 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid4 = _errs33 === errors;
errors = _errs32;
if(vErrors !== null){
if(_errs32){
vErrors.length = _errs32;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs35 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate0.errors = [{instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs35){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 2147483647 || isNaN(data7)){
validate0.errors = [{instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data7 < 1 || isNaN(data7)){
validate0.errors = [{instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid4 = _errs35 === errors;
valid6 = _valid4;
}
if(!valid6){
const err9 = {instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stop !== undefined){
let data8 = data.stop;
const _errs37 = errors;
const _errs38 = errors;
let valid7 = true;
const _errs39 = errors;
if(data8 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid5 = _errs39 === errors;
errors = _errs38;
if(vErrors !== null){
if(_errs38){
vErrors.length = _errs38;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs41 = errors;
if((typeof data8 !== "string") && (!(Array.isArray(data8)))){
validate0.errors = [{instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/else/type",keyword:"type",params:{type: schema0.properties.stop.else.type}}];
return false;
}
if(errors === _errs41){
if(typeof data8 === "string"){
if(data8.length < 1){
validate0.errors = [{instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
if(errors === _errs41){
if(Array.isArray(data8)){
if(data8.length > 16){
validate0.errors = [{instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/else/maxItems",keyword:"maxItems",params:{limit: 16}}];
return false;
}
else {
var valid8 = true;
const len1 = data8.length;
for(let i1=0; i1<len1; i1++){
let data9 = data8[i1];
const _errs43 = errors;
if(errors === _errs43){
if(typeof data9 === "string"){
if(data9.length < 1){
validate0.errors = [{instancePath:instancePath+"/stop/" + i1,schemaPath:"#/properties/stop/else/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/stop/" + i1,schemaPath:"#/properties/stop/else/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid8 = _errs43 === errors;
if(!valid8){
break;
}
}
}
}
}
}
var _valid5 = _errs41 === errors;
valid7 = _valid5;
}
if(!valid7){
const err11 = {instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.temperature !== undefined){
let data10 = data.temperature;
const _errs45 = errors;
const _errs46 = errors;
let valid9 = true;
const _errs47 = errors;
if(data10 !== null){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid6 = _errs47 === errors;
errors = _errs46;
if(vErrors !== null){
if(_errs46){
vErrors.length = _errs46;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs49 = errors;
if(errors === _errs49){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 2 || isNaN(data10)){
validate0.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data10 < 0 || isNaN(data10)){
validate0.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid6 = _errs49 === errors;
valid9 = _valid6;
}
if(!valid9){
const err13 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs45 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_p !== undefined){
let data11 = data.top_p;
const _errs51 = errors;
const _errs52 = errors;
let valid10 = true;
const _errs53 = errors;
if(data11 !== null){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid7 = _errs53 === errors;
errors = _errs52;
if(vErrors !== null){
if(_errs52){
vErrors.length = _errs52;
}
else {
vErrors = null;
}
}
if(!_valid7){
const _errs55 = errors;
if(errors === _errs55){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 1 || isNaN(data11)){
validate0.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data11 <= 0 || isNaN(data11)){
validate0.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid7 = _errs55 === errors;
valid10 = _valid7;
}
if(!valid10){
const err15 = {instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs51 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_k !== undefined){
let data12 = data.top_k;
const _errs57 = errors;
const _errs58 = errors;
let valid11 = true;
const _errs59 = errors;
if(data12 !== null){
const err16 = {};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid8 = _errs59 === errors;
errors = _errs58;
if(vErrors !== null){
if(_errs58){
vErrors.length = _errs58;
}
else {
vErrors = null;
}
}
if(!_valid8){
const _errs61 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate0.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs61){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 2147483647 || isNaN(data12)){
validate0.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data12 < -1 || isNaN(data12)){
validate0.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid8 = _errs61 === errors;
valid11 = _valid8;
}
if(!valid11){
const err17 = {instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs57 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_p !== undefined){
let data13 = data.min_p;
const _errs63 = errors;
const _errs64 = errors;
let valid12 = true;
const _errs65 = errors;
if(data13 !== null){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid9 = _errs65 === errors;
errors = _errs64;
if(vErrors !== null){
if(_errs64){
vErrors.length = _errs64;
}
else {
vErrors = null;
}
}
if(!_valid9){
const _errs67 = errors;
if(errors === _errs67){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 1 || isNaN(data13)){
validate0.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data13 < 0 || isNaN(data13)){
validate0.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid9 = _errs67 === errors;
valid12 = _valid9;
}
if(!valid12){
const err19 = {instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs63 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.presence_penalty !== undefined){
let data14 = data.presence_penalty;
const _errs69 = errors;
const _errs70 = errors;
let valid13 = true;
const _errs71 = errors;
if(data14 !== null){
const err20 = {};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
var _valid10 = _errs71 === errors;
errors = _errs70;
if(vErrors !== null){
if(_errs70){
vErrors.length = _errs70;
}
else {
vErrors = null;
}
}
if(!_valid10){
const _errs73 = errors;
if(errors === _errs73){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 2 || isNaN(data14)){
validate0.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data14 < -2 || isNaN(data14)){
validate0.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid10 = _errs73 === errors;
valid13 = _valid10;
}
if(!valid13){
const err21 = {instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs69 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.frequency_penalty !== undefined){
let data15 = data.frequency_penalty;
const _errs75 = errors;
const _errs76 = errors;
let valid14 = true;
const _errs77 = errors;
if(data15 !== null){
const err22 = {};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
var _valid11 = _errs77 === errors;
errors = _errs76;
if(vErrors !== null){
if(_errs76){
vErrors.length = _errs76;
}
else {
vErrors = null;
}
}
if(!_valid11){
const _errs79 = errors;
if(errors === _errs79){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 2 || isNaN(data15)){
validate0.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data15 < -2 || isNaN(data15)){
validate0.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid11 = _errs79 === errors;
valid14 = _valid11;
}
if(!valid14){
const err23 = {instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs75 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.repetition_penalty !== undefined){
let data16 = data.repetition_penalty;
const _errs81 = errors;
const _errs82 = errors;
let valid15 = true;
const _errs83 = errors;
if(data16 !== null){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var _valid12 = _errs83 === errors;
errors = _errs82;
if(vErrors !== null){
if(_errs82){
vErrors.length = _errs82;
}
else {
vErrors = null;
}
}
if(!_valid12){
const _errs85 = errors;
if(errors === _errs85){
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 2 || isNaN(data16)){
validate0.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data16 <= 0 || isNaN(data16)){
validate0.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid12 = _errs85 === errors;
valid15 = _valid12;
}
if(!valid15){
const err25 = {instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs81 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seed !== undefined){
let data17 = data.seed;
const _errs87 = errors;
const _errs88 = errors;
let valid16 = true;
const _errs89 = errors;
if(data17 !== null){
const err26 = {};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
var _valid13 = _errs89 === errors;
errors = _errs88;
if(vErrors !== null){
if(_errs88){
vErrors.length = _errs88;
}
else {
vErrors = null;
}
}
if(!_valid13){
const _errs91 = errors;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
validate0.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs91){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 9007199254740991 || isNaN(data17)){
validate0.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}}];
return false;
}
else {
if(data17 < -9007199254740991 || isNaN(data17)){
validate0.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991}}];
return false;
}
}
}
}
var _valid13 = _errs91 === errors;
valid16 = _valid13;
}
if(!valid16){
const err27 = {instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs87 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logit_bias !== undefined){
let data18 = data.logit_bias;
const _errs93 = errors;
const _errs94 = errors;
let valid17 = true;
const _errs95 = errors;
if(data18 !== null){
const err28 = {};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
var _valid14 = _errs95 === errors;
errors = _errs94;
if(vErrors !== null){
if(_errs94){
vErrors.length = _errs94;
}
else {
vErrors = null;
}
}
if(!_valid14){
const _errs97 = errors;
if(errors === _errs97){
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(Object.keys(data18).length > 1024){
validate0.errors = [{instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/maxProperties",keyword:"maxProperties",params:{limit: 1024}}];
return false;
}
else {
for(const key1 in data18){
const _errs99 = errors;
if(typeof key1 === "string"){
if(!pattern0.test(key1)){
const err29 = {instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[0-9]{1,9}$"},propertyName:key1};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
var valid18 = _errs99 === errors;
if(!valid18){
const err30 = {instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/propertyNames",keyword:"propertyNames",params:{propertyName: key1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
validate0.errors = vErrors;
return false;
break;
}
}
if(valid18){
for(const key2 in data18){
let data19 = data18[key2];
const _errs101 = errors;
if(errors === _errs101){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 100 || isNaN(data19)){
validate0.errors = [{instancePath:instancePath+"/logit_bias/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/logit_bias/else/additionalProperties/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}}];
return false;
}
else {
if(data19 < -100 || isNaN(data19)){
validate0.errors = [{instancePath:instancePath+"/logit_bias/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/logit_bias/else/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: -100}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/logit_bias/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/logit_bias/else/additionalProperties/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid19 = _errs101 === errors;
if(!valid19){
break;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid14 = _errs97 === errors;
valid17 = _valid14;
}
if(!valid17){
const err31 = {instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs93 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logprobs !== undefined){
let data20 = data.logprobs;
const _errs103 = errors;
const _errs104 = errors;
let valid20 = true;
const _errs105 = errors;
if(data20 !== null){
const err32 = {};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
var _valid15 = _errs105 === errors;
errors = _errs104;
if(vErrors !== null){
if(_errs104){
vErrors.length = _errs104;
}
else {
vErrors = null;
}
}
if(!_valid15){
const _errs107 = errors;
if(typeof data20 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/logprobs",schemaPath:"#/properties/logprobs/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid15 = _errs107 === errors;
valid20 = _valid15;
}
if(!valid20){
const err33 = {instancePath:instancePath+"/logprobs",schemaPath:"#/properties/logprobs/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs103 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_logprobs !== undefined){
let data21 = data.top_logprobs;
const _errs109 = errors;
const _errs110 = errors;
let valid21 = true;
const _errs111 = errors;
if(data21 !== null){
const err34 = {};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
var _valid16 = _errs111 === errors;
errors = _errs110;
if(vErrors !== null){
if(_errs110){
vErrors.length = _errs110;
}
else {
vErrors = null;
}
}
if(!_valid16){
const _errs113 = errors;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
validate0.errors = [{instancePath:instancePath+"/top_logprobs",schemaPath:"#/properties/top_logprobs/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs113){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 20 || isNaN(data21)){
validate0.errors = [{instancePath:instancePath+"/top_logprobs",schemaPath:"#/properties/top_logprobs/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}}];
return false;
}
else {
if(data21 < 0 || isNaN(data21)){
validate0.errors = [{instancePath:instancePath+"/top_logprobs",schemaPath:"#/properties/top_logprobs/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var _valid16 = _errs113 === errors;
valid21 = _valid16;
}
if(!valid21){
const err35 = {instancePath:instancePath+"/top_logprobs",schemaPath:"#/properties/top_logprobs/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs109 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
let data22 = data.tools;
const _errs115 = errors;
const _errs116 = errors;
let valid22 = true;
const _errs117 = errors;
if(data22 !== null){
const err36 = {};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
var _valid17 = _errs117 === errors;
errors = _errs116;
if(vErrors !== null){
if(_errs116){
vErrors.length = _errs116;
}
else {
vErrors = null;
}
}
if(!_valid17){
const _errs119 = errors;
if(errors === _errs119){
if(Array.isArray(data22)){
if(data22.length > 1024){
validate0.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/else/maxItems",keyword:"maxItems",params:{limit: 1024}}];
return false;
}
else {
var valid23 = true;
const len2 = data22.length;
for(let i2=0; i2<len2; i2++){
let data23 = data22[i2];
const _errs121 = errors;
const _errs122 = errors;
const _errs124 = errors;
let valid25 = true;
const _errs125 = errors;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
let missing1;
if((data23.type === undefined) && (missing1 = "type")){
const err37 = {};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
else {
if(data23.type !== undefined){
if("function" !== data23.type){
const err38 = {};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
}
var _valid18 = _errs125 === errors;
errors = _errs124;
if(vErrors !== null){
if(_errs124){
vErrors.length = _errs124;
}
else {
vErrors = null;
}
}
if(_valid18){
const _errs127 = errors;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
let missing2;
if((data23.function === undefined) && (missing2 = "function")){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2,schemaPath:"../shared/tool.json/then/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
const _errs128 = errors;
for(const key3 in data23){
if(!(((key3 === "type") || (key3 === "function")) || (key3 === "cache_control"))){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2,schemaPath:"../shared/tool.json/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs128 === errors){
if(data23.function !== undefined){
let data25 = data23.function;
const _errs129 = errors;
if(errors === _errs129){
if(data25 && typeof data25 == "object" && !Array.isArray(data25)){
let missing3;
if((data25.name === undefined) && (missing3 = "name")){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function",schemaPath:"../shared/tool.json/then/properties/function/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
const _errs131 = errors;
for(const key4 in data25){
if(!(((((key4 === "name") || (key4 === "description")) || (key4 === "parameters")) || (key4 === "strict")) || (key4 === "cache_control"))){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function",schemaPath:"../shared/tool.json/then/properties/function/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs131 === errors){
if(data25.name !== undefined){
let data26 = data25.name;
const _errs132 = errors;
if(errors === _errs132){
if(typeof data26 === "string"){
if(data26.length > 256){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function/name",schemaPath:"../shared/tool.json/then/properties/function/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data26.length < 1){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function/name",schemaPath:"../shared/tool.json/then/properties/function/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function/name",schemaPath:"../shared/tool.json/then/properties/function/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid28 = _errs132 === errors;
}
else {
var valid28 = true;
}
if(valid28){
if(data25.description !== undefined){
let data27 = data25.description;
const _errs134 = errors;
const _errs135 = errors;
let valid29 = true;
const _errs136 = errors;
if(data27 !== null){
const err39 = {};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
var _valid19 = _errs136 === errors;
errors = _errs135;
if(vErrors !== null){
if(_errs135){
vErrors.length = _errs135;
}
else {
vErrors = null;
}
}
if(!_valid19){
const _errs138 = errors;
if(typeof data27 !== "string"){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function/description",schemaPath:"../shared/tool.json/then/properties/function/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid19 = _errs138 === errors;
valid29 = _valid19;
}
if(!valid29){
const err40 = {instancePath:instancePath+"/tools/" + i2+"/function/description",schemaPath:"../shared/tool.json/then/properties/function/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid28 = _errs134 === errors;
}
else {
var valid28 = true;
}
if(valid28){
if(data25.strict !== undefined){
let data28 = data25.strict;
const _errs140 = errors;
const _errs141 = errors;
let valid30 = true;
const _errs142 = errors;
if(data28 !== null){
const err41 = {};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
var _valid20 = _errs142 === errors;
errors = _errs141;
if(vErrors !== null){
if(_errs141){
vErrors.length = _errs141;
}
else {
vErrors = null;
}
}
if(!_valid20){
const _errs144 = errors;
if(typeof data28 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function/strict",schemaPath:"../shared/tool.json/then/properties/function/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid20 = _errs144 === errors;
valid30 = _valid20;
}
if(!valid30){
const err42 = {instancePath:instancePath+"/tools/" + i2+"/function/strict",schemaPath:"../shared/tool.json/then/properties/function/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid28 = _errs140 === errors;
}
else {
var valid28 = true;
}
if(valid28){
if(data25.cache_control !== undefined){
const _errs146 = errors;
var valid28 = _errs146 === errors;
}
else {
var valid28 = true;
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/function",schemaPath:"../shared/tool.json/then/properties/function/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid27 = _errs129 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data23.cache_control !== undefined){
const _errs148 = errors;
var valid27 = _errs148 === errors;
}
else {
var valid27 = true;
}
}
}
}
}
var _valid18 = _errs127 === errors;
valid25 = _valid18;
if(valid25){
var props2 = true;
}
}
if(!valid25){
const err43 = {instancePath:instancePath+"/tools/" + i2,schemaPath:"../shared/tool.json/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
validate0.errors = vErrors;
return false;
}
if(errors === _errs122){
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
let missing4;
if((data23.type === undefined) && (missing4 = "type")){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2,schemaPath:"../shared/tool.json/required",keyword:"required",params:{missingProperty: missing4}}];
return false;
}
else {
if(props2 !== true){
props2 = props2 || {};
props2.type = true;
}
if(data23.type !== undefined){
if(typeof data23.type !== "string"){
validate0.errors = [{instancePath:instancePath+"/tools/" + i2+"/type",schemaPath:"../shared/tool.json/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tools/" + i2,schemaPath:"../shared/tool.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid23 = _errs121 === errors;
if(!valid23){
break;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid17 = _errs119 === errors;
valid22 = _valid17;
}
if(!valid22){
const err44 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs115 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_choice !== undefined){
let data32 = data.tool_choice;
const _errs152 = errors;
const _errs153 = errors;
let valid32 = true;
const _errs154 = errors;
if(data32 !== null){
const err45 = {};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
var _valid21 = _errs154 === errors;
errors = _errs153;
if(vErrors !== null){
if(_errs153){
vErrors.length = _errs153;
}
else {
vErrors = null;
}
}
if(!_valid21){
const _errs156 = errors;
if((typeof data32 !== "string") && (!(data32 && typeof data32 == "object" && !Array.isArray(data32)))){
validate0.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/type",keyword:"type",params:{type: schema0.properties.tool_choice.else.type}}];
return false;
}
const _errs158 = errors;
let valid33 = true;
const _errs159 = errors;
if(typeof data32 !== "string"){
const err46 = {};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
var _valid22 = _errs159 === errors;
errors = _errs158;
if(vErrors !== null){
if(_errs158){
vErrors.length = _errs158;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid22){
const _errs161 = errors;
if(!(((data32 === "auto") || (data32 === "none")) || (data32 === "required"))){
validate0.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/then/enum",keyword:"enum",params:{allowedValues: schema0.properties.tool_choice.else.then.enum}}];
return false;
}
var _valid22 = _errs161 === errors;
valid33 = _valid22;
ifClause0 = "then";
}
else {
const _errs162 = errors;
if(errors === _errs162){
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
let missing5;
if(((data32.type === undefined) && (missing5 = "type")) || ((data32.function === undefined) && (missing5 = "function"))){
validate0.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/else/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
const _errs164 = errors;
for(const key5 in data32){
if(!((key5 === "type") || (key5 === "function"))){
validate0.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs164 === errors){
if(data32.type !== undefined){
const _errs165 = errors;
if("function" !== data32.type){
validate0.errors = [{instancePath:instancePath+"/tool_choice/type",schemaPath:"#/properties/tool_choice/else/else/properties/type/const",keyword:"const",params:{allowedValue: "function"}}];
return false;
}
var valid34 = _errs165 === errors;
}
else {
var valid34 = true;
}
if(valid34){
if(data32.function !== undefined){
let data34 = data32.function;
const _errs166 = errors;
if(errors === _errs166){
if(data34 && typeof data34 == "object" && !Array.isArray(data34)){
let missing6;
if((data34.name === undefined) && (missing6 = "name")){
validate0.errors = [{instancePath:instancePath+"/tool_choice/function",schemaPath:"#/properties/tool_choice/else/else/properties/function/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
const _errs168 = errors;
for(const key6 in data34){
if(!(key6 === "name")){
validate0.errors = [{instancePath:instancePath+"/tool_choice/function",schemaPath:"#/properties/tool_choice/else/else/properties/function/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}}];
return false;
break;
}
}
if(_errs168 === errors){
if(data34.name !== undefined){
if(typeof data34.name !== "string"){
validate0.errors = [{instancePath:instancePath+"/tool_choice/function/name",schemaPath:"#/properties/tool_choice/else/else/properties/function/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tool_choice/function",schemaPath:"#/properties/tool_choice/else/else/properties/function/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid34 = _errs166 === errors;
}
else {
var valid34 = true;
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid22 = _errs162 === errors;
valid33 = _valid22;
ifClause0 = "else";
}
if(!valid33){
const err47 = {instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/if",keyword:"if",params:{failingKeyword: ifClause0}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
validate0.errors = vErrors;
return false;
}
var _valid21 = _errs156 === errors;
valid32 = _valid21;
}
if(!valid32){
const err48 = {instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs152 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parallel_tool_calls !== undefined){
let data36 = data.parallel_tool_calls;
const _errs171 = errors;
const _errs172 = errors;
let valid36 = true;
const _errs173 = errors;
if(data36 !== null){
const err49 = {};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
var _valid23 = _errs173 === errors;
errors = _errs172;
if(vErrors !== null){
if(_errs172){
vErrors.length = _errs172;
}
else {
vErrors = null;
}
}
if(!_valid23){
const _errs175 = errors;
if(typeof data36 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/parallel_tool_calls",schemaPath:"#/properties/parallel_tool_calls/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid23 = _errs175 === errors;
valid36 = _valid23;
}
if(!valid36){
const err50 = {instancePath:instancePath+"/parallel_tool_calls",schemaPath:"#/properties/parallel_tool_calls/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs171 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.response_format !== undefined){
let data37 = data.response_format;
const _errs177 = errors;
const _errs178 = errors;
let valid37 = true;
const _errs179 = errors;
if(data37 !== null){
const err51 = {};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
var _valid24 = _errs179 === errors;
errors = _errs178;
if(vErrors !== null){
if(_errs178){
vErrors.length = _errs178;
}
else {
vErrors = null;
}
}
if(!_valid24){
const _errs181 = errors;
const _errs182 = errors;
const _errs184 = errors;
const _errs185 = errors;
let valid40 = true;
const _errs186 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing7;
if((data37.type === undefined) && (missing7 = "type")){
const err52 = {};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
else {
if(data37.type !== undefined){
let data38 = data37.type;
if(!(((data38 === "text") || (data38 === "json_object")) || (data38 === "json_schema"))){
const err53 = {};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
}
var _valid25 = _errs186 === errors;
errors = _errs185;
if(vErrors !== null){
if(_errs185){
vErrors.length = _errs185;
}
else {
vErrors = null;
}
}
if(_valid25){
const _errs188 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
for(const key7 in data37){
if(!((((key7 === "type") || (key7 === "json_schema")) || (key7 === "schema")) || (key7 === "grammar"))){
validate0.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/0/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}}];
return false;
break;
}
}
}
var _valid25 = _errs188 === errors;
valid40 = _valid25;
if(valid40){
var props4 = true;
}
}
if(!valid40){
const err54 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid39 = _errs184 === errors;
if(valid39){
const _errs190 = errors;
const _errs191 = errors;
let valid42 = true;
const _errs192 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing8;
if((data37.type === undefined) && (missing8 = "type")){
const err55 = {};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
else {
if(data37.type !== undefined){
let data39 = data37.type;
if(!((data39 === "text") || (data39 === "json_schema"))){
const err56 = {};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
}
var _valid26 = _errs192 === errors;
errors = _errs191;
if(vErrors !== null){
if(_errs191){
vErrors.length = _errs191;
}
else {
vErrors = null;
}
}
if(_valid26){
const _errs194 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if(data37.schema !== undefined){
const _errs196 = errors;
let valid45 = true;
const _errs197 = errors;
if(data37.schema !== null){
const err57 = {};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
var _valid27 = _errs197 === errors;
errors = _errs196;
if(vErrors !== null){
if(_errs196){
vErrors.length = _errs196;
}
else {
vErrors = null;
}
}
if(!_valid27){
var _valid27 = false;
validate0.errors = [{instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/1/then/properties/schema/else/false schema",keyword:"false schema",params:{}}];
return false;
valid45 = _valid27;
}
if(!valid45){
const err58 = {instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/1/then/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
validate0.errors = vErrors;
return false;
}
}
}
var _valid26 = _errs194 === errors;
valid42 = _valid26;
if(valid42){
var props5 = {};
props5.schema = true;
props5.type = true;
}
}
if(!valid42){
const err59 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid39 = _errs190 === errors;
if(valid39){
if(props4 !== true && props5 !== undefined){
if(props5 === true){
props4 = true;
}
else {
props4 = props4 || {};
Object.assign(props4, props5);
}
}
const _errs199 = errors;
const _errs200 = errors;
let valid46 = true;
const _errs201 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing9;
if((data37.type === undefined) && (missing9 = "type")){
const err60 = {};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
else {
if(data37.type !== undefined){
if("json_object" !== data37.type){
const err61 = {};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
}
var _valid28 = _errs201 === errors;
errors = _errs200;
if(vErrors !== null){
if(_errs200){
vErrors.length = _errs200;
}
else {
vErrors = null;
}
}
if(_valid28){
const _errs203 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if(data37.schema !== undefined){
let data42 = data37.schema;
const _errs205 = errors;
let valid49 = true;
const _errs206 = errors;
if(data42 !== null){
const err62 = {};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
var _valid29 = _errs206 === errors;
errors = _errs205;
if(vErrors !== null){
if(_errs205){
vErrors.length = _errs205;
}
else {
vErrors = null;
}
}
if(!_valid29){
const _errs208 = errors;
if(!(data42 && typeof data42 == "object" && !Array.isArray(data42))){
validate0.errors = [{instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/2/then/properties/schema/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid29 = _errs208 === errors;
valid49 = _valid29;
}
if(!valid49){
const err63 = {instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/2/then/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
validate0.errors = vErrors;
return false;
}
}
}
var _valid28 = _errs203 === errors;
valid46 = _valid28;
if(valid46){
var props6 = {};
props6.schema = true;
props6.type = true;
}
}
if(!valid46){
const err64 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid39 = _errs199 === errors;
if(valid39){
if(props4 !== true && props6 !== undefined){
if(props6 === true){
props4 = true;
}
else {
props4 = props4 || {};
Object.assign(props4, props6);
}
}
const _errs210 = errors;
const _errs211 = errors;
let valid50 = true;
const _errs212 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing10;
if((data37.type === undefined) && (missing10 = "type")){
const err65 = {};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
else {
if(data37.type !== undefined){
if("json_schema" !== data37.type){
const err66 = {};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
}
}
var _valid30 = _errs212 === errors;
errors = _errs211;
if(vErrors !== null){
if(_errs211){
vErrors.length = _errs211;
}
else {
vErrors = null;
}
}
if(_valid30){
const _errs214 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing11;
if((data37.json_schema === undefined) && (missing11 = "json_schema")){
validate0.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/3/then/required",keyword:"required",params:{missingProperty: missing11}}];
return false;
}
else {
if(data37.json_schema !== undefined){
let data44 = data37.json_schema;
const _errs215 = errors;
if(errors === _errs215){
if(data44 && typeof data44 == "object" && !Array.isArray(data44)){
const _errs217 = errors;
for(const key8 in data44){
if(!((((key8 === "name") || (key8 === "description")) || (key8 === "schema")) || (key8 === "strict"))){
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}}];
return false;
break;
}
}
if(_errs217 === errors){
if(data44.name !== undefined){
let data45 = data44.name;
const _errs218 = errors;
const _errs219 = errors;
let valid54 = true;
const _errs220 = errors;
if(data45 !== null){
const err67 = {};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
var _valid31 = _errs220 === errors;
errors = _errs219;
if(vErrors !== null){
if(_errs219){
vErrors.length = _errs219;
}
else {
vErrors = null;
}
}
if(!_valid31){
const _errs222 = errors;
if(errors === _errs222){
if(typeof data45 === "string"){
if(data45.length > 256){
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/else/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data45.length < 1){
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid31 = _errs222 === errors;
valid54 = _valid31;
}
if(!valid54){
const err68 = {instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid53 = _errs218 === errors;
}
else {
var valid53 = true;
}
if(valid53){
if(data44.description !== undefined){
let data46 = data44.description;
const _errs224 = errors;
const _errs225 = errors;
let valid55 = true;
const _errs226 = errors;
if(data46 !== null){
const err69 = {};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
var _valid32 = _errs226 === errors;
errors = _errs225;
if(vErrors !== null){
if(_errs225){
vErrors.length = _errs225;
}
else {
vErrors = null;
}
}
if(!_valid32){
const _errs228 = errors;
if(typeof data46 !== "string"){
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema/description",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid32 = _errs228 === errors;
valid55 = _valid32;
}
if(!valid55){
const err70 = {instancePath:instancePath+"/response_format/json_schema/description",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid53 = _errs224 === errors;
}
else {
var valid53 = true;
}
if(valid53){
if(data44.schema !== undefined){
let data47 = data44.schema;
const _errs230 = errors;
const _errs231 = errors;
let valid56 = true;
const _errs232 = errors;
if(data47 !== null){
const err71 = {};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
var _valid33 = _errs232 === errors;
errors = _errs231;
if(vErrors !== null){
if(_errs231){
vErrors.length = _errs231;
}
else {
vErrors = null;
}
}
if(!_valid33){
const _errs234 = errors;
if(!(data47 && typeof data47 == "object" && !Array.isArray(data47))){
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema/schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/schema/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid33 = _errs234 === errors;
valid56 = _valid33;
}
if(!valid56){
const err72 = {instancePath:instancePath+"/response_format/json_schema/schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid53 = _errs230 === errors;
}
else {
var valid53 = true;
}
if(valid53){
if(data44.strict !== undefined){
let data48 = data44.strict;
const _errs236 = errors;
const _errs237 = errors;
let valid57 = true;
const _errs238 = errors;
if(data48 !== null){
const err73 = {};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
var _valid34 = _errs238 === errors;
errors = _errs237;
if(vErrors !== null){
if(_errs237){
vErrors.length = _errs237;
}
else {
vErrors = null;
}
}
if(!_valid34){
const _errs240 = errors;
if(typeof data48 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema/strict",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid34 = _errs240 === errors;
valid57 = _valid34;
}
if(!valid57){
const err74 = {instancePath:instancePath+"/response_format/json_schema/strict",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid53 = _errs236 === errors;
}
else {
var valid53 = true;
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/response_format/json_schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
}
}
}
var _valid30 = _errs214 === errors;
valid50 = _valid30;
if(valid50){
var props7 = {};
props7.json_schema = true;
props7.type = true;
}
}
if(!valid50){
const err75 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/3/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid39 = _errs210 === errors;
if(valid39){
if(props4 !== true && props7 !== undefined){
if(props7 === true){
props4 = true;
}
else {
props4 = props4 || {};
Object.assign(props4, props7);
}
}
const _errs242 = errors;
const _errs243 = errors;
let valid58 = true;
const _errs244 = errors;
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing12;
if((data37.type === undefined) && (missing12 = "type")){
const err76 = {};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
else {
if(data37.type !== undefined){
if("grammar" !== data37.type){
const err77 = {};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
}
}
var _valid35 = _errs244 === errors;
errors = _errs243;
if(vErrors !== null){
if(_errs243){
vErrors.length = _errs243;
}
else {
vErrors = null;
}
}
if(_valid35){
const _errs246 = errors;
var _valid35 = _errs246 === errors;
valid58 = _valid35;
if(valid58){
var props8 = {};
props8.grammar = true;
props8.type = true;
}
}
if(!valid58){
const err78 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/4/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid39 = _errs242 === errors;
if(valid39){
if(props4 !== true && props8 !== undefined){
if(props8 === true){
props4 = true;
}
else {
props4 = props4 || {};
Object.assign(props4, props8);
}
}
}
}
}
}
}
if(errors === _errs182){
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
let missing13;
if((data37.type === undefined) && (missing13 = "type")){
validate0.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/required",keyword:"required",params:{missingProperty: missing13}}];
return false;
}
else {
if(props4 !== true){
props4 = props4 || {};
props4.type = true;
}
if(data37.type !== undefined){
if(typeof data37.type !== "string"){
validate0.errors = [{instancePath:instancePath+"/response_format/type",schemaPath:"../shared/response-format.json/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid24 = _errs181 === errors;
valid37 = _valid24;
}
if(!valid37){
const err79 = {instancePath:instancePath+"/response_format",schemaPath:"#/properties/response_format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs177 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.regex !== undefined){
let data52 = data.regex;
const _errs251 = errors;
const _errs252 = errors;
let valid62 = true;
const _errs253 = errors;
if(data52 !== null){
const err80 = {};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
var _valid36 = _errs253 === errors;
errors = _errs252;
if(vErrors !== null){
if(_errs252){
vErrors.length = _errs252;
}
else {
vErrors = null;
}
}
if(!_valid36){
const _errs255 = errors;
if(errors === _errs255){
if(typeof data52 === "string"){
if(data52.length < 1){
validate0.errors = [{instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid36 = _errs255 === errors;
valid62 = _valid36;
}
if(!valid62){
const err81 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs251 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reasoning_effort !== undefined){
let data53 = data.reasoning_effort;
const _errs257 = errors;
const _errs258 = errors;
let valid63 = true;
const _errs259 = errors;
if(data53 !== null){
const err82 = {};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
var _valid37 = _errs259 === errors;
errors = _errs258;
if(vErrors !== null){
if(_errs258){
vErrors.length = _errs258;
}
else {
vErrors = null;
}
}
if(!_valid37){
const _errs261 = errors;
if(!(((((data53 === "none") || (data53 === "low")) || (data53 === "medium")) || (data53 === "high")) || (data53 === "max"))){
validate0.errors = [{instancePath:instancePath+"/reasoning_effort",schemaPath:"#/$defs/effort/enum",keyword:"enum",params:{allowedValues: schema11.enum}}];
return false;
}
var _valid37 = _errs261 === errors;
valid63 = _valid37;
}
if(!valid63){
const err83 = {instancePath:instancePath+"/reasoning_effort",schemaPath:"#/properties/reasoning_effort/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs257 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reasoning !== undefined){
let data54 = data.reasoning;
const _errs263 = errors;
const _errs264 = errors;
let valid65 = true;
const _errs265 = errors;
if(data54 !== null){
const err84 = {};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
var _valid38 = _errs265 === errors;
errors = _errs264;
if(vErrors !== null){
if(_errs264){
vErrors.length = _errs264;
}
else {
vErrors = null;
}
}
if(!_valid38){
const _errs267 = errors;
if(errors === _errs267){
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
const _errs269 = errors;
for(const key9 in data54){
if(!((key9 === "effort") || (key9 === "enabled"))){
validate0.errors = [{instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}}];
return false;
break;
}
}
if(_errs269 === errors){
if(data54.effort !== undefined){
let data55 = data54.effort;
const _errs270 = errors;
const _errs271 = errors;
let valid67 = true;
const _errs272 = errors;
if(data55 !== null){
const err85 = {};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
var _valid39 = _errs272 === errors;
errors = _errs271;
if(vErrors !== null){
if(_errs271){
vErrors.length = _errs271;
}
else {
vErrors = null;
}
}
if(!_valid39){
const _errs274 = errors;
if(!(((((data55 === "none") || (data55 === "low")) || (data55 === "medium")) || (data55 === "high")) || (data55 === "max"))){
validate0.errors = [{instancePath:instancePath+"/reasoning/effort",schemaPath:"#/$defs/effort/enum",keyword:"enum",params:{allowedValues: schema11.enum}}];
return false;
}
var _valid39 = _errs274 === errors;
valid67 = _valid39;
}
if(!valid67){
const err86 = {instancePath:instancePath+"/reasoning/effort",schemaPath:"#/properties/reasoning/else/properties/effort/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid66 = _errs270 === errors;
}
else {
var valid66 = true;
}
if(valid66){
if(data54.enabled !== undefined){
let data56 = data54.enabled;
const _errs276 = errors;
const _errs277 = errors;
let valid69 = true;
const _errs278 = errors;
if(data56 !== null){
const err87 = {};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
var _valid40 = _errs278 === errors;
errors = _errs277;
if(vErrors !== null){
if(_errs277){
vErrors.length = _errs277;
}
else {
vErrors = null;
}
}
if(!_valid40){
const _errs280 = errors;
if(typeof data56 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/reasoning/enabled",schemaPath:"#/properties/reasoning/else/properties/enabled/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid40 = _errs280 === errors;
valid69 = _valid40;
}
if(!valid69){
const err88 = {instancePath:instancePath+"/reasoning/enabled",schemaPath:"#/properties/reasoning/else/properties/enabled/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid66 = _errs276 === errors;
}
else {
var valid66 = true;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid38 = _errs267 === errors;
valid65 = _valid38;
}
if(!valid65){
const err89 = {instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs263 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thinking !== undefined){
let data57 = data.thinking;
const _errs282 = errors;
const _errs283 = errors;
let valid70 = true;
const _errs284 = errors;
if(data57 !== null){
const err90 = {};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
var _valid41 = _errs284 === errors;
errors = _errs283;
if(vErrors !== null){
if(_errs283){
vErrors.length = _errs283;
}
else {
vErrors = null;
}
}
if(!_valid41){
const _errs286 = errors;
if(errors === _errs286){
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
let missing14;
if((data57.type === undefined) && (missing14 = "type")){
validate0.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/else/required",keyword:"required",params:{missingProperty: missing14}}];
return false;
}
else {
const _errs288 = errors;
for(const key10 in data57){
if(!(((key10 === "type") || (key10 === "keep")) || (key10 === "budget_tokens"))){
validate0.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}}];
return false;
break;
}
}
if(_errs288 === errors){
if(data57.type !== undefined){
let data58 = data57.type;
const _errs289 = errors;
if(!((data58 === "enabled") || (data58 === "disabled"))){
validate0.errors = [{instancePath:instancePath+"/thinking/type",schemaPath:"#/properties/thinking/else/properties/type/enum",keyword:"enum",params:{allowedValues: schema0.properties.thinking.else.properties.type.enum}}];
return false;
}
var valid71 = _errs289 === errors;
}
else {
var valid71 = true;
}
if(valid71){
if(data57.keep !== undefined){
let data59 = data57.keep;
const _errs290 = errors;
const _errs291 = errors;
let valid72 = true;
const _errs292 = errors;
if(data59 !== null){
const err91 = {};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
var _valid42 = _errs292 === errors;
errors = _errs291;
if(vErrors !== null){
if(_errs291){
vErrors.length = _errs291;
}
else {
vErrors = null;
}
}
if(!_valid42){
const _errs294 = errors;
if("all" !== data59){
validate0.errors = [{instancePath:instancePath+"/thinking/keep",schemaPath:"#/properties/thinking/else/properties/keep/else/const",keyword:"const",params:{allowedValue: "all"}}];
return false;
}
var _valid42 = _errs294 === errors;
valid72 = _valid42;
}
if(!valid72){
const err92 = {instancePath:instancePath+"/thinking/keep",schemaPath:"#/properties/thinking/else/properties/keep/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid71 = _errs290 === errors;
}
else {
var valid71 = true;
}
if(valid71){
if(data57.budget_tokens !== undefined){
const _errs295 = errors;
var valid71 = _errs295 === errors;
}
else {
var valid71 = true;
}
}
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid41 = _errs286 === errors;
valid70 = _valid41;
}
if(!valid70){
const err93 = {instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs282 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.chat_template_kwargs !== undefined){
let data61 = data.chat_template_kwargs;
const _errs297 = errors;
const _errs298 = errors;
let valid73 = true;
const _errs299 = errors;
if(data61 !== null){
const err94 = {};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
var _valid43 = _errs299 === errors;
errors = _errs298;
if(vErrors !== null){
if(_errs298){
vErrors.length = _errs298;
}
else {
vErrors = null;
}
}
if(!_valid43){
const _errs301 = errors;
if(errors === _errs301){
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
const _errs303 = errors;
for(const key11 in data61){
if(!(key11 === "enable_thinking")){
validate0.errors = [{instancePath:instancePath+"/chat_template_kwargs",schemaPath:"#/properties/chat_template_kwargs/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}}];
return false;
break;
}
}
if(_errs303 === errors){
if(data61.enable_thinking !== undefined){
let data62 = data61.enable_thinking;
const _errs305 = errors;
let valid75 = true;
const _errs306 = errors;
if(data62 !== null){
const err95 = {};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
var _valid44 = _errs306 === errors;
errors = _errs305;
if(vErrors !== null){
if(_errs305){
vErrors.length = _errs305;
}
else {
vErrors = null;
}
}
if(!_valid44){
const _errs308 = errors;
if(typeof data62 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/chat_template_kwargs/enable_thinking",schemaPath:"#/properties/chat_template_kwargs/else/properties/enable_thinking/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid44 = _errs308 === errors;
valid75 = _valid44;
}
if(!valid75){
const err96 = {instancePath:instancePath+"/chat_template_kwargs/enable_thinking",schemaPath:"#/properties/chat_template_kwargs/else/properties/enable_thinking/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
validate0.errors = vErrors;
return false;
}
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/chat_template_kwargs",schemaPath:"#/properties/chat_template_kwargs/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid43 = _errs301 === errors;
valid73 = _valid43;
}
if(!valid73){
const err97 = {instancePath:instancePath+"/chat_template_kwargs",schemaPath:"#/properties/chat_template_kwargs/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs297 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.preserve_thinking !== undefined){
let data63 = data.preserve_thinking;
const _errs310 = errors;
const _errs311 = errors;
let valid76 = true;
const _errs312 = errors;
if(data63 !== null){
const err98 = {};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
var _valid45 = _errs312 === errors;
errors = _errs311;
if(vErrors !== null){
if(_errs311){
vErrors.length = _errs311;
}
else {
vErrors = null;
}
}
if(!_valid45){
const _errs314 = errors;
if(typeof data63 !== "boolean"){
validate0.errors = [{instancePath:instancePath+"/preserve_thinking",schemaPath:"#/properties/preserve_thinking/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid45 = _errs314 === errors;
valid76 = _valid45;
}
if(!valid76){
const err99 = {instancePath:instancePath+"/preserve_thinking",schemaPath:"#/properties/preserve_thinking/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs310 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs316 = errors;
var valid0 = _errs316 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.modalities !== undefined){
let data65 = data.modalities;
const _errs318 = errors;
const _errs319 = errors;
let valid77 = true;
const _errs320 = errors;
if(data65 !== null){
const err100 = {};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
var _valid46 = _errs320 === errors;
errors = _errs319;
if(vErrors !== null){
if(_errs319){
vErrors.length = _errs319;
}
else {
vErrors = null;
}
}
if(!_valid46){
const _errs322 = errors;
if(errors === _errs322){
if(Array.isArray(data65)){
var valid78 = true;
const len3 = data65.length;
for(let i3=0; i3<len3; i3++){
const _errs324 = errors;
if("text" !== data65[i3]){
validate0.errors = [{instancePath:instancePath+"/modalities/" + i3,schemaPath:"#/properties/modalities/else/items/const",keyword:"const",params:{allowedValue: "text"}}];
return false;
}
var valid78 = _errs324 === errors;
if(!valid78){
break;
}
}
}
else {
validate0.errors = [{instancePath:instancePath+"/modalities",schemaPath:"#/properties/modalities/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid46 = _errs322 === errors;
valid77 = _valid46;
}
if(!valid77){
const err101 = {instancePath:instancePath+"/modalities",schemaPath:"#/properties/modalities/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs318 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prediction !== undefined){
const _errs325 = errors;
var valid0 = _errs325 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_key !== undefined){
const _errs327 = errors;
var valid0 = _errs327 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_options !== undefined){
const _errs329 = errors;
var valid0 = _errs329 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_retention !== undefined){
const _errs331 = errors;
var valid0 = _errs331 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.safety_identifier !== undefined){
const _errs333 = errors;
var valid0 = _errs333 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.service_tier !== undefined){
const _errs335 = errors;
var valid0 = _errs335 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.store !== undefined){
const _errs337 = errors;
var valid0 = _errs337 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs339 = errors;
var valid0 = _errs339 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.verbosity !== undefined){
const _errs341 = errors;
var valid0 = _errs341 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.audio !== undefined){
const _errs343 = errors;
const _errs344 = errors;
let valid79 = true;
const _errs345 = errors;
if(data.audio !== null){
const err102 = {};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
var _valid47 = _errs345 === errors;
errors = _errs344;
if(vErrors !== null){
if(_errs344){
vErrors.length = _errs344;
}
else {
vErrors = null;
}
}
if(!_valid47){
var _valid47 = false;
validate0.errors = [{instancePath:instancePath+"/audio",schemaPath:"#/properties/audio/else/false schema",keyword:"false schema",params:{}}];
return false;
valid79 = _valid47;
}
if(!valid79){
const err103 = {instancePath:instancePath+"/audio",schemaPath:"#/properties/audio/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs343 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.function_call !== undefined){
const _errs347 = errors;
const _errs348 = errors;
let valid80 = true;
const _errs349 = errors;
if(data.function_call !== null){
const err104 = {};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
var _valid48 = _errs349 === errors;
errors = _errs348;
if(vErrors !== null){
if(_errs348){
vErrors.length = _errs348;
}
else {
vErrors = null;
}
}
if(!_valid48){
var _valid48 = false;
validate0.errors = [{instancePath:instancePath+"/function_call",schemaPath:"#/properties/function_call/else/false schema",keyword:"false schema",params:{}}];
return false;
valid80 = _valid48;
}
if(!valid80){
const err105 = {instancePath:instancePath+"/function_call",schemaPath:"#/properties/function_call/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs347 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.functions !== undefined){
const _errs351 = errors;
const _errs352 = errors;
let valid81 = true;
const _errs353 = errors;
if(data.functions !== null){
const err106 = {};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
var _valid49 = _errs353 === errors;
errors = _errs352;
if(vErrors !== null){
if(_errs352){
vErrors.length = _errs352;
}
else {
vErrors = null;
}
}
if(!_valid49){
var _valid49 = false;
validate0.errors = [{instancePath:instancePath+"/functions",schemaPath:"#/properties/functions/else/false schema",keyword:"false schema",params:{}}];
return false;
valid81 = _valid49;
}
if(!valid81){
const err107 = {instancePath:instancePath+"/functions",schemaPath:"#/properties/functions/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs351 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.moderation !== undefined){
const _errs355 = errors;
const _errs356 = errors;
let valid82 = true;
const _errs357 = errors;
if(data.moderation !== null){
const err108 = {};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
var _valid50 = _errs357 === errors;
errors = _errs356;
if(vErrors !== null){
if(_errs356){
vErrors.length = _errs356;
}
else {
vErrors = null;
}
}
if(!_valid50){
var _valid50 = false;
validate0.errors = [{instancePath:instancePath+"/moderation",schemaPath:"#/properties/moderation/else/false schema",keyword:"false schema",params:{}}];
return false;
valid82 = _valid50;
}
if(!valid82){
const err109 = {instancePath:instancePath+"/moderation",schemaPath:"#/properties/moderation/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs355 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.web_search_options !== undefined){
const _errs359 = errors;
const _errs360 = errors;
let valid83 = true;
const _errs361 = errors;
if(data.web_search_options !== null){
const err110 = {};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
var _valid51 = _errs361 === errors;
errors = _errs360;
if(vErrors !== null){
if(_errs360){
vErrors.length = _errs360;
}
else {
vErrors = null;
}
}
if(!_valid51){
var _valid51 = false;
validate0.errors = [{instancePath:instancePath+"/web_search_options",schemaPath:"#/properties/web_search_options/else/false schema",keyword:"false schema",params:{}}];
return false;
valid83 = _valid51;
}
if(!valid83){
const err111 = {instancePath:instancePath+"/web_search_options",schemaPath:"#/properties/web_search_options/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
validate0.errors = vErrors;
return false;
}
var valid0 = _errs359 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const classify = validate17;
const schema13 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/classify.json","type":"object","required":["model","input"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"input":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"maxItems":2048,"items":{"type":"string"}},{"$ref":"#/$defs/tokens"},{"type":"array","minItems":1,"maxItems":2048,"items":{"$ref":"#/$defs/tokens"}}]},"truncate_prompt_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"$defs":{"tokens":{"type":"array","minItems":1,"items":{"type":"integer","minimum":0}}}};
const schema14 = {"type":"array","minItems":1,"items":{"type":"integer","minimum":0}};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/classify.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate17.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.model === undefined) && (missing0 = "model")) || ((data.input === undefined) && (missing0 = "input"))){
validate17.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "model") || (key0 === "input")) || (key0 === "truncate_prompt_tokens")) || (key0 === "user"))){
validate17.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate17.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate17.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.input !== undefined){
let data1 = data.input;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(typeof data1 !== "string"){
const err0 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data1)){
if(data1.length > 2048){
const err1 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/1/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data1.length < 1){
const err2 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(typeof data1[i0] !== "string"){
const err3 = {instancePath:instancePath+"/input/" + i0,schemaPath:"#/properties/input/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
const err4 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var items0 = true;
}
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data1)){
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/input",schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
var valid4 = true;
const len1 = data1.length;
for(let i1=0; i1<len1; i1++){
let data3 = data1[i1];
const _errs15 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err6 = {instancePath:instancePath+"/input/" + i1,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(errors === _errs15){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err7 = {instancePath:instancePath+"/input/" + i1,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
var valid4 = _errs15 === errors;
if(!valid4){
break;
}
}
}
}
else {
const err8 = {instancePath:instancePath+"/input",schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data1)){
if(data1.length > 2048){
const err9 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/3/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
if(data1.length < 1){
const err10 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/3/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
var valid5 = true;
const len2 = data1.length;
for(let i2=0; i2<len2; i2++){
let data4 = data1[i2];
const _errs19 = errors;
const _errs20 = errors;
if(errors === _errs20){
if(Array.isArray(data4)){
if(data4.length < 1){
const err11 = {instancePath:instancePath+"/input/" + i2,schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
var valid7 = true;
const len3 = data4.length;
for(let i3=0; i3<len3; i3++){
let data5 = data4[i3];
const _errs22 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err12 = {instancePath:instancePath+"/input/" + i2+"/" + i3,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(errors === _errs22){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err13 = {instancePath:instancePath+"/input/" + i2+"/" + i3,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
var valid7 = _errs22 === errors;
if(!valid7){
break;
}
}
}
}
else {
const err14 = {instancePath:instancePath+"/input/" + i2,schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
var valid5 = _errs19 === errors;
if(!valid5){
break;
}
}
}
}
}
else {
const err15 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/3/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
var _valid0 = _errs17 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
if(!valid1){
const err16 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate17.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.truncate_prompt_tokens !== undefined){
let data6 = data.truncate_prompt_tokens;
const _errs24 = errors;
const _errs25 = errors;
let valid8 = true;
const _errs26 = errors;
if(data6 !== null){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid1 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs28 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate17.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs28){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 2147483647 || isNaN(data6)){
validate17.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data6 < -1 || isNaN(data6)){
validate17.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid1 = _errs28 === errors;
valid8 = _valid1;
}
if(!valid8){
const err18 = {instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
validate17.errors = vErrors;
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs30 = errors;
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate17.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate17.errors = vErrors;
return errors === 0;
}
validate17.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const completions = validate18;
const schema16 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/completions.json","type":"object","required":["model","prompt"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"prompt":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"items":{"type":"string"}},{"$ref":"#/$defs/tokens"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/tokens"}}]},"stream":{"if":{"type":"null"},"else":{"type":"boolean"}},"stream_options":{"if":{"type":"null"},"else":{"type":"object","x-no-effect":true,"x-ignore-others":["include_usage","continuous_usage_stats"]}},"n":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":128}},"best_of":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":128}},"echo":{"if":{"type":"null"},"else":{"type":"boolean"}},"suffix":{"if":{"type":"null"},"else":{"type":"string"}},"max_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":0,"maximum":2147483647}},"stop":{"if":{"type":"null"},"else":{"type":["string","array"],"minLength":1,"maxItems":16,"items":{"type":"string","minLength":1}}},"temperature":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":2}},"top_p":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":1}},"top_k":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"min_p":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":1}},"presence_penalty":{"if":{"type":"null"},"else":{"type":"number","minimum":-2,"maximum":2}},"frequency_penalty":{"if":{"type":"null"},"else":{"type":"number","minimum":-2,"maximum":2}},"repetition_penalty":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":2}},"seed":{"if":{"type":"null"},"else":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"logit_bias":{"if":{"type":"null"},"else":{"type":"object","maxProperties":1024,"propertyNames":{"pattern":"^[0-9]{1,9}$"},"additionalProperties":{"type":"number","minimum":-100,"maximum":100}}},"logprobs":{"if":{"type":"null"},"else":{"type":"integer","minimum":0,"maximum":20}},"regex":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"grammar":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"response_format":{"if":{"type":"null"},"else":{"$ref":"../shared/response-format.json"}},"structured_outputs":{"if":{"type":"null"},"else":{"type":"object","properties":{"json":{"if":{"type":"null"},"else":{"type":"object"}},"json_object":{"if":{"type":"null"},"else":{"type":"boolean"}},"regex":{"if":{"type":"null"},"else":{"type":"string","minLength":1}},"grammar":{"if":{"type":"null"},"else":{"type":"string","minLength":1}}},"additionalProperties":false}},"metadata":{"if":{"type":"null"},"else":{"x-no-effect":true}},"prompt_cache_key":{"if":{"type":"null"},"else":{"x-no-effect":true}},"safety_identifier":{"if":{"type":"null"},"else":{"x-no-effect":true}},"service_tier":{"if":{"type":"null"},"else":{"x-no-effect":true}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"$defs":{"tokens":{"type":"array","minItems":1,"items":{"type":"integer","minimum":0}}}};
const schema17 = {"type":"array","minItems":1,"items":{"type":"integer","minimum":0}};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/completions.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate18.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.model === undefined) && (missing0 = "model")) || ((data.prompt === undefined) && (missing0 = "prompt"))){
validate18.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema16.properties, key0))){
validate18.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate18.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt !== undefined){
let data1 = data.prompt;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(typeof data1 !== "string"){
const err0 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data1)){
if(data1.length < 1){
const err1 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(typeof data1[i0] !== "string"){
const err2 = {instancePath:instancePath+"/prompt/" + i0,schemaPath:"#/properties/prompt/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
}
else {
const err3 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var items0 = true;
}
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data1)){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/prompt",schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
var valid4 = true;
const len1 = data1.length;
for(let i1=0; i1<len1; i1++){
let data3 = data1[i1];
const _errs15 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err5 = {instancePath:instancePath+"/prompt/" + i1,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(errors === _errs15){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err6 = {instancePath:instancePath+"/prompt/" + i1,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
var valid4 = _errs15 === errors;
if(!valid4){
break;
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/prompt",schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data1)){
if(data1.length < 1){
const err8 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/anyOf/3/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
else {
var valid5 = true;
const len2 = data1.length;
for(let i2=0; i2<len2; i2++){
let data4 = data1[i2];
const _errs19 = errors;
const _errs20 = errors;
if(errors === _errs20){
if(Array.isArray(data4)){
if(data4.length < 1){
const err9 = {instancePath:instancePath+"/prompt/" + i2,schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
var valid7 = true;
const len3 = data4.length;
for(let i3=0; i3<len3; i3++){
let data5 = data4[i3];
const _errs22 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err10 = {instancePath:instancePath+"/prompt/" + i2+"/" + i3,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(errors === _errs22){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err11 = {instancePath:instancePath+"/prompt/" + i2+"/" + i3,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
var valid7 = _errs22 === errors;
if(!valid7){
break;
}
}
}
}
else {
const err12 = {instancePath:instancePath+"/prompt/" + i2,schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var valid5 = _errs19 === errors;
if(!valid5){
break;
}
}
}
}
else {
const err13 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/anyOf/3/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
var _valid0 = _errs17 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
if(!valid1){
const err14 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate18.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream !== undefined){
let data6 = data.stream;
const _errs24 = errors;
const _errs25 = errors;
let valid8 = true;
const _errs26 = errors;
if(data6 !== null){
const err15 = {};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
var _valid1 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs28 = errors;
if(typeof data6 !== "boolean"){
validate18.errors = [{instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid1 = _errs28 === errors;
valid8 = _valid1;
}
if(!valid8){
const err16 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream_options !== undefined){
let data7 = data.stream_options;
const _errs30 = errors;
const _errs31 = errors;
let valid9 = true;
const _errs32 = errors;
if(data7 !== null){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid2 = _errs32 === errors;
errors = _errs31;
if(vErrors !== null){
if(_errs31){
vErrors.length = _errs31;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs34 = errors;
if(errors === _errs34){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const name0 in data7){
if(!(name0 === "continuous_usage_stats" || name0 === "include_usage" || data7[name0] === null)){
this.add(instancePath+"/stream_options", name0);
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/stream_options",schemaPath:"#/properties/stream_options/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid2 = _errs34 === errors;
valid9 = _valid2;
}
if(!valid9){
const err18 = {instancePath:instancePath+"/stream_options",schemaPath:"#/properties/stream_options/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.n !== undefined){
let data8 = data.n;
const _errs36 = errors;
const _errs37 = errors;
let valid10 = true;
const _errs38 = errors;
if(data8 !== null){
const err19 = {};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var _valid3 = _errs38 === errors;
errors = _errs37;
if(vErrors !== null){
if(_errs37){
vErrors.length = _errs37;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs40 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate18.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs40){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 128 || isNaN(data8)){
validate18.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 128}}];
return false;
}
else {
if(data8 < 1 || isNaN(data8)){
validate18.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid3 = _errs40 === errors;
valid10 = _valid3;
}
if(!valid10){
const err20 = {instancePath:instancePath+"/n",schemaPath:"#/properties/n/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.best_of !== undefined){
let data9 = data.best_of;
const _errs42 = errors;
const _errs43 = errors;
let valid11 = true;
const _errs44 = errors;
if(data9 !== null){
const err21 = {};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var _valid4 = _errs44 === errors;
errors = _errs43;
if(vErrors !== null){
if(_errs43){
vErrors.length = _errs43;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs46 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate18.errors = [{instancePath:instancePath+"/best_of",schemaPath:"#/properties/best_of/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs46){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 128 || isNaN(data9)){
validate18.errors = [{instancePath:instancePath+"/best_of",schemaPath:"#/properties/best_of/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 128}}];
return false;
}
else {
if(data9 < 1 || isNaN(data9)){
validate18.errors = [{instancePath:instancePath+"/best_of",schemaPath:"#/properties/best_of/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid4 = _errs46 === errors;
valid11 = _valid4;
}
if(!valid11){
const err22 = {instancePath:instancePath+"/best_of",schemaPath:"#/properties/best_of/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs42 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.echo !== undefined){
let data10 = data.echo;
const _errs48 = errors;
const _errs49 = errors;
let valid12 = true;
const _errs50 = errors;
if(data10 !== null){
const err23 = {};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
var _valid5 = _errs50 === errors;
errors = _errs49;
if(vErrors !== null){
if(_errs49){
vErrors.length = _errs49;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs52 = errors;
if(typeof data10 !== "boolean"){
validate18.errors = [{instancePath:instancePath+"/echo",schemaPath:"#/properties/echo/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid5 = _errs52 === errors;
valid12 = _valid5;
}
if(!valid12){
const err24 = {instancePath:instancePath+"/echo",schemaPath:"#/properties/echo/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs48 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.suffix !== undefined){
let data11 = data.suffix;
const _errs54 = errors;
const _errs55 = errors;
let valid13 = true;
const _errs56 = errors;
if(data11 !== null){
const err25 = {};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
var _valid6 = _errs56 === errors;
errors = _errs55;
if(vErrors !== null){
if(_errs55){
vErrors.length = _errs55;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs58 = errors;
if(typeof data11 !== "string"){
validate18.errors = [{instancePath:instancePath+"/suffix",schemaPath:"#/properties/suffix/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid6 = _errs58 === errors;
valid13 = _valid6;
}
if(!valid13){
const err26 = {instancePath:instancePath+"/suffix",schemaPath:"#/properties/suffix/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs54 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_tokens !== undefined){
let data12 = data.max_tokens;
const _errs60 = errors;
const _errs61 = errors;
let valid14 = true;
const _errs62 = errors;
if(data12 !== null){
const err27 = {};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
var _valid7 = _errs62 === errors;
errors = _errs61;
if(vErrors !== null){
if(_errs61){
vErrors.length = _errs61;
}
else {
vErrors = null;
}
}
if(!_valid7){
const _errs64 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate18.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs64){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 2147483647 || isNaN(data12)){
validate18.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data12 < 0 || isNaN(data12)){
validate18.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var _valid7 = _errs64 === errors;
valid14 = _valid7;
}
if(!valid14){
const err28 = {instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs60 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stop !== undefined){
let data13 = data.stop;
const _errs66 = errors;
const _errs67 = errors;
let valid15 = true;
const _errs68 = errors;
if(data13 !== null){
const err29 = {};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
var _valid8 = _errs68 === errors;
errors = _errs67;
if(vErrors !== null){
if(_errs67){
vErrors.length = _errs67;
}
else {
vErrors = null;
}
}
if(!_valid8){
const _errs70 = errors;
if((typeof data13 !== "string") && (!(Array.isArray(data13)))){
validate18.errors = [{instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/else/type",keyword:"type",params:{type: schema16.properties.stop.else.type}}];
return false;
}
if(errors === _errs70){
if(typeof data13 === "string"){
if(data13.length < 1){
validate18.errors = [{instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
if(errors === _errs70){
if(Array.isArray(data13)){
if(data13.length > 16){
validate18.errors = [{instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/else/maxItems",keyword:"maxItems",params:{limit: 16}}];
return false;
}
else {
var valid16 = true;
const len4 = data13.length;
for(let i4=0; i4<len4; i4++){
let data14 = data13[i4];
const _errs72 = errors;
if(errors === _errs72){
if(typeof data14 === "string"){
if(data14.length < 1){
validate18.errors = [{instancePath:instancePath+"/stop/" + i4,schemaPath:"#/properties/stop/else/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/stop/" + i4,schemaPath:"#/properties/stop/else/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid16 = _errs72 === errors;
if(!valid16){
break;
}
}
}
}
}
}
var _valid8 = _errs70 === errors;
valid15 = _valid8;
}
if(!valid15){
const err30 = {instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs66 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.temperature !== undefined){
let data15 = data.temperature;
const _errs74 = errors;
const _errs75 = errors;
let valid17 = true;
const _errs76 = errors;
if(data15 !== null){
const err31 = {};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
var _valid9 = _errs76 === errors;
errors = _errs75;
if(vErrors !== null){
if(_errs75){
vErrors.length = _errs75;
}
else {
vErrors = null;
}
}
if(!_valid9){
const _errs78 = errors;
if(errors === _errs78){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 2 || isNaN(data15)){
validate18.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data15 < 0 || isNaN(data15)){
validate18.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid9 = _errs78 === errors;
valid17 = _valid9;
}
if(!valid17){
const err32 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs74 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_p !== undefined){
let data16 = data.top_p;
const _errs80 = errors;
const _errs81 = errors;
let valid18 = true;
const _errs82 = errors;
if(data16 !== null){
const err33 = {};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
var _valid10 = _errs82 === errors;
errors = _errs81;
if(vErrors !== null){
if(_errs81){
vErrors.length = _errs81;
}
else {
vErrors = null;
}
}
if(!_valid10){
const _errs84 = errors;
if(errors === _errs84){
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 1 || isNaN(data16)){
validate18.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data16 <= 0 || isNaN(data16)){
validate18.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid10 = _errs84 === errors;
valid18 = _valid10;
}
if(!valid18){
const err34 = {instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs80 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_k !== undefined){
let data17 = data.top_k;
const _errs86 = errors;
const _errs87 = errors;
let valid19 = true;
const _errs88 = errors;
if(data17 !== null){
const err35 = {};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
var _valid11 = _errs88 === errors;
errors = _errs87;
if(vErrors !== null){
if(_errs87){
vErrors.length = _errs87;
}
else {
vErrors = null;
}
}
if(!_valid11){
const _errs90 = errors;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
validate18.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs90){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 2147483647 || isNaN(data17)){
validate18.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data17 < -1 || isNaN(data17)){
validate18.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid11 = _errs90 === errors;
valid19 = _valid11;
}
if(!valid19){
const err36 = {instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs86 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_p !== undefined){
let data18 = data.min_p;
const _errs92 = errors;
const _errs93 = errors;
let valid20 = true;
const _errs94 = errors;
if(data18 !== null){
const err37 = {};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
var _valid12 = _errs94 === errors;
errors = _errs93;
if(vErrors !== null){
if(_errs93){
vErrors.length = _errs93;
}
else {
vErrors = null;
}
}
if(!_valid12){
const _errs96 = errors;
if(errors === _errs96){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 1 || isNaN(data18)){
validate18.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data18 < 0 || isNaN(data18)){
validate18.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid12 = _errs96 === errors;
valid20 = _valid12;
}
if(!valid20){
const err38 = {instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs92 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.presence_penalty !== undefined){
let data19 = data.presence_penalty;
const _errs98 = errors;
const _errs99 = errors;
let valid21 = true;
const _errs100 = errors;
if(data19 !== null){
const err39 = {};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
var _valid13 = _errs100 === errors;
errors = _errs99;
if(vErrors !== null){
if(_errs99){
vErrors.length = _errs99;
}
else {
vErrors = null;
}
}
if(!_valid13){
const _errs102 = errors;
if(errors === _errs102){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 2 || isNaN(data19)){
validate18.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data19 < -2 || isNaN(data19)){
validate18.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid13 = _errs102 === errors;
valid21 = _valid13;
}
if(!valid21){
const err40 = {instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs98 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.frequency_penalty !== undefined){
let data20 = data.frequency_penalty;
const _errs104 = errors;
const _errs105 = errors;
let valid22 = true;
const _errs106 = errors;
if(data20 !== null){
const err41 = {};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
var _valid14 = _errs106 === errors;
errors = _errs105;
if(vErrors !== null){
if(_errs105){
vErrors.length = _errs105;
}
else {
vErrors = null;
}
}
if(!_valid14){
const _errs108 = errors;
if(errors === _errs108){
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 2 || isNaN(data20)){
validate18.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data20 < -2 || isNaN(data20)){
validate18.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid14 = _errs108 === errors;
valid22 = _valid14;
}
if(!valid22){
const err42 = {instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs104 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.repetition_penalty !== undefined){
let data21 = data.repetition_penalty;
const _errs110 = errors;
const _errs111 = errors;
let valid23 = true;
const _errs112 = errors;
if(data21 !== null){
const err43 = {};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
var _valid15 = _errs112 === errors;
errors = _errs111;
if(vErrors !== null){
if(_errs111){
vErrors.length = _errs111;
}
else {
vErrors = null;
}
}
if(!_valid15){
const _errs114 = errors;
if(errors === _errs114){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 2 || isNaN(data21)){
validate18.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data21 <= 0 || isNaN(data21)){
validate18.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid15 = _errs114 === errors;
valid23 = _valid15;
}
if(!valid23){
const err44 = {instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs110 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seed !== undefined){
let data22 = data.seed;
const _errs116 = errors;
const _errs117 = errors;
let valid24 = true;
const _errs118 = errors;
if(data22 !== null){
const err45 = {};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
var _valid16 = _errs118 === errors;
errors = _errs117;
if(vErrors !== null){
if(_errs117){
vErrors.length = _errs117;
}
else {
vErrors = null;
}
}
if(!_valid16){
const _errs120 = errors;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
validate18.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs120){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 9007199254740991 || isNaN(data22)){
validate18.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}}];
return false;
}
else {
if(data22 < -9007199254740991 || isNaN(data22)){
validate18.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991}}];
return false;
}
}
}
}
var _valid16 = _errs120 === errors;
valid24 = _valid16;
}
if(!valid24){
const err46 = {instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs116 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logit_bias !== undefined){
let data23 = data.logit_bias;
const _errs122 = errors;
const _errs123 = errors;
let valid25 = true;
const _errs124 = errors;
if(data23 !== null){
const err47 = {};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
var _valid17 = _errs124 === errors;
errors = _errs123;
if(vErrors !== null){
if(_errs123){
vErrors.length = _errs123;
}
else {
vErrors = null;
}
}
if(!_valid17){
const _errs126 = errors;
if(errors === _errs126){
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
if(Object.keys(data23).length > 1024){
validate18.errors = [{instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/maxProperties",keyword:"maxProperties",params:{limit: 1024}}];
return false;
}
else {
for(const key1 in data23){
const _errs128 = errors;
if(typeof key1 === "string"){
if(!pattern0.test(key1)){
const err48 = {instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[0-9]{1,9}$"},propertyName:key1};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
var valid26 = _errs128 === errors;
if(!valid26){
const err49 = {instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/propertyNames",keyword:"propertyNames",params:{propertyName: key1}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
validate18.errors = vErrors;
return false;
break;
}
}
if(valid26){
for(const key2 in data23){
let data24 = data23[key2];
const _errs130 = errors;
if(errors === _errs130){
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 > 100 || isNaN(data24)){
validate18.errors = [{instancePath:instancePath+"/logit_bias/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/logit_bias/else/additionalProperties/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}}];
return false;
}
else {
if(data24 < -100 || isNaN(data24)){
validate18.errors = [{instancePath:instancePath+"/logit_bias/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/logit_bias/else/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: -100}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/logit_bias/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/logit_bias/else/additionalProperties/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var valid27 = _errs130 === errors;
if(!valid27){
break;
}
}
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid17 = _errs126 === errors;
valid25 = _valid17;
}
if(!valid25){
const err50 = {instancePath:instancePath+"/logit_bias",schemaPath:"#/properties/logit_bias/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs122 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logprobs !== undefined){
let data25 = data.logprobs;
const _errs132 = errors;
const _errs133 = errors;
let valid28 = true;
const _errs134 = errors;
if(data25 !== null){
const err51 = {};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
var _valid18 = _errs134 === errors;
errors = _errs133;
if(vErrors !== null){
if(_errs133){
vErrors.length = _errs133;
}
else {
vErrors = null;
}
}
if(!_valid18){
const _errs136 = errors;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
validate18.errors = [{instancePath:instancePath+"/logprobs",schemaPath:"#/properties/logprobs/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs136){
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 > 20 || isNaN(data25)){
validate18.errors = [{instancePath:instancePath+"/logprobs",schemaPath:"#/properties/logprobs/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}}];
return false;
}
else {
if(data25 < 0 || isNaN(data25)){
validate18.errors = [{instancePath:instancePath+"/logprobs",schemaPath:"#/properties/logprobs/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var _valid18 = _errs136 === errors;
valid28 = _valid18;
}
if(!valid28){
const err52 = {instancePath:instancePath+"/logprobs",schemaPath:"#/properties/logprobs/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs132 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.regex !== undefined){
let data26 = data.regex;
const _errs138 = errors;
const _errs139 = errors;
let valid29 = true;
const _errs140 = errors;
if(data26 !== null){
const err53 = {};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
var _valid19 = _errs140 === errors;
errors = _errs139;
if(vErrors !== null){
if(_errs139){
vErrors.length = _errs139;
}
else {
vErrors = null;
}
}
if(!_valid19){
const _errs142 = errors;
if(errors === _errs142){
if(typeof data26 === "string"){
if(data26.length < 1){
validate18.errors = [{instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid19 = _errs142 === errors;
valid29 = _valid19;
}
if(!valid29){
const err54 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs138 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.grammar !== undefined){
let data27 = data.grammar;
const _errs144 = errors;
const _errs145 = errors;
let valid30 = true;
const _errs146 = errors;
if(data27 !== null){
const err55 = {};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
var _valid20 = _errs146 === errors;
errors = _errs145;
if(vErrors !== null){
if(_errs145){
vErrors.length = _errs145;
}
else {
vErrors = null;
}
}
if(!_valid20){
const _errs148 = errors;
if(errors === _errs148){
if(typeof data27 === "string"){
if(data27.length < 1){
validate18.errors = [{instancePath:instancePath+"/grammar",schemaPath:"#/properties/grammar/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/grammar",schemaPath:"#/properties/grammar/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid20 = _errs148 === errors;
valid30 = _valid20;
}
if(!valid30){
const err56 = {instancePath:instancePath+"/grammar",schemaPath:"#/properties/grammar/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs144 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.response_format !== undefined){
let data28 = data.response_format;
const _errs150 = errors;
const _errs151 = errors;
let valid31 = true;
const _errs152 = errors;
if(data28 !== null){
const err57 = {};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
var _valid21 = _errs152 === errors;
errors = _errs151;
if(vErrors !== null){
if(_errs151){
vErrors.length = _errs151;
}
else {
vErrors = null;
}
}
if(!_valid21){
const _errs154 = errors;
const _errs155 = errors;
const _errs157 = errors;
const _errs158 = errors;
let valid34 = true;
const _errs159 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing1;
if((data28.type === undefined) && (missing1 = "type")){
const err58 = {};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
else {
if(data28.type !== undefined){
let data29 = data28.type;
if(!(((data29 === "text") || (data29 === "json_object")) || (data29 === "json_schema"))){
const err59 = {};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
}
}
var _valid22 = _errs159 === errors;
errors = _errs158;
if(vErrors !== null){
if(_errs158){
vErrors.length = _errs158;
}
else {
vErrors = null;
}
}
if(_valid22){
const _errs161 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
for(const key3 in data28){
if(!((((key3 === "type") || (key3 === "json_schema")) || (key3 === "schema")) || (key3 === "grammar"))){
validate18.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/0/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
}
var _valid22 = _errs161 === errors;
valid34 = _valid22;
if(valid34){
var props1 = true;
}
}
if(!valid34){
const err60 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid33 = _errs157 === errors;
if(valid33){
const _errs163 = errors;
const _errs164 = errors;
let valid36 = true;
const _errs165 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing2;
if((data28.type === undefined) && (missing2 = "type")){
const err61 = {};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
else {
if(data28.type !== undefined){
let data30 = data28.type;
if(!((data30 === "text") || (data30 === "json_schema"))){
const err62 = {};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
}
}
var _valid23 = _errs165 === errors;
errors = _errs164;
if(vErrors !== null){
if(_errs164){
vErrors.length = _errs164;
}
else {
vErrors = null;
}
}
if(_valid23){
const _errs167 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
if(data28.schema !== undefined){
const _errs169 = errors;
let valid39 = true;
const _errs170 = errors;
if(data28.schema !== null){
const err63 = {};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
var _valid24 = _errs170 === errors;
errors = _errs169;
if(vErrors !== null){
if(_errs169){
vErrors.length = _errs169;
}
else {
vErrors = null;
}
}
if(!_valid24){
var _valid24 = false;
validate18.errors = [{instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/1/then/properties/schema/else/false schema",keyword:"false schema",params:{}}];
return false;
valid39 = _valid24;
}
if(!valid39){
const err64 = {instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/1/then/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
validate18.errors = vErrors;
return false;
}
}
}
var _valid23 = _errs167 === errors;
valid36 = _valid23;
if(valid36){
var props2 = {};
props2.schema = true;
props2.type = true;
}
}
if(!valid36){
const err65 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid33 = _errs163 === errors;
if(valid33){
if(props1 !== true && props2 !== undefined){
if(props2 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props2);
}
}
const _errs172 = errors;
const _errs173 = errors;
let valid40 = true;
const _errs174 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing3;
if((data28.type === undefined) && (missing3 = "type")){
const err66 = {};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
else {
if(data28.type !== undefined){
if("json_object" !== data28.type){
const err67 = {};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
}
var _valid25 = _errs174 === errors;
errors = _errs173;
if(vErrors !== null){
if(_errs173){
vErrors.length = _errs173;
}
else {
vErrors = null;
}
}
if(_valid25){
const _errs176 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
if(data28.schema !== undefined){
let data33 = data28.schema;
const _errs178 = errors;
let valid43 = true;
const _errs179 = errors;
if(data33 !== null){
const err68 = {};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
var _valid26 = _errs179 === errors;
errors = _errs178;
if(vErrors !== null){
if(_errs178){
vErrors.length = _errs178;
}
else {
vErrors = null;
}
}
if(!_valid26){
const _errs181 = errors;
if(!(data33 && typeof data33 == "object" && !Array.isArray(data33))){
validate18.errors = [{instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/2/then/properties/schema/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid26 = _errs181 === errors;
valid43 = _valid26;
}
if(!valid43){
const err69 = {instancePath:instancePath+"/response_format/schema",schemaPath:"../shared/response-format.json/allOf/2/then/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
validate18.errors = vErrors;
return false;
}
}
}
var _valid25 = _errs176 === errors;
valid40 = _valid25;
if(valid40){
var props3 = {};
props3.schema = true;
props3.type = true;
}
}
if(!valid40){
const err70 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid33 = _errs172 === errors;
if(valid33){
if(props1 !== true && props3 !== undefined){
if(props3 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props3);
}
}
const _errs183 = errors;
const _errs184 = errors;
let valid44 = true;
const _errs185 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing4;
if((data28.type === undefined) && (missing4 = "type")){
const err71 = {};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
else {
if(data28.type !== undefined){
if("json_schema" !== data28.type){
const err72 = {};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
}
}
var _valid27 = _errs185 === errors;
errors = _errs184;
if(vErrors !== null){
if(_errs184){
vErrors.length = _errs184;
}
else {
vErrors = null;
}
}
if(_valid27){
const _errs187 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing5;
if((data28.json_schema === undefined) && (missing5 = "json_schema")){
validate18.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/3/then/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
if(data28.json_schema !== undefined){
let data35 = data28.json_schema;
const _errs188 = errors;
if(errors === _errs188){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
const _errs190 = errors;
for(const key4 in data35){
if(!((((key4 === "name") || (key4 === "description")) || (key4 === "schema")) || (key4 === "strict"))){
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs190 === errors){
if(data35.name !== undefined){
let data36 = data35.name;
const _errs191 = errors;
const _errs192 = errors;
let valid48 = true;
const _errs193 = errors;
if(data36 !== null){
const err73 = {};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
var _valid28 = _errs193 === errors;
errors = _errs192;
if(vErrors !== null){
if(_errs192){
vErrors.length = _errs192;
}
else {
vErrors = null;
}
}
if(!_valid28){
const _errs195 = errors;
if(errors === _errs195){
if(typeof data36 === "string"){
if(data36.length > 256){
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/else/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data36.length < 1){
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid28 = _errs195 === errors;
valid48 = _valid28;
}
if(!valid48){
const err74 = {instancePath:instancePath+"/response_format/json_schema/name",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid47 = _errs191 === errors;
}
else {
var valid47 = true;
}
if(valid47){
if(data35.description !== undefined){
let data37 = data35.description;
const _errs197 = errors;
const _errs198 = errors;
let valid49 = true;
const _errs199 = errors;
if(data37 !== null){
const err75 = {};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
var _valid29 = _errs199 === errors;
errors = _errs198;
if(vErrors !== null){
if(_errs198){
vErrors.length = _errs198;
}
else {
vErrors = null;
}
}
if(!_valid29){
const _errs201 = errors;
if(typeof data37 !== "string"){
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema/description",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid29 = _errs201 === errors;
valid49 = _valid29;
}
if(!valid49){
const err76 = {instancePath:instancePath+"/response_format/json_schema/description",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid47 = _errs197 === errors;
}
else {
var valid47 = true;
}
if(valid47){
if(data35.schema !== undefined){
let data38 = data35.schema;
const _errs203 = errors;
const _errs204 = errors;
let valid50 = true;
const _errs205 = errors;
if(data38 !== null){
const err77 = {};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
var _valid30 = _errs205 === errors;
errors = _errs204;
if(vErrors !== null){
if(_errs204){
vErrors.length = _errs204;
}
else {
vErrors = null;
}
}
if(!_valid30){
const _errs207 = errors;
if(!(data38 && typeof data38 == "object" && !Array.isArray(data38))){
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema/schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/schema/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid30 = _errs207 === errors;
valid50 = _valid30;
}
if(!valid50){
const err78 = {instancePath:instancePath+"/response_format/json_schema/schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid47 = _errs203 === errors;
}
else {
var valid47 = true;
}
if(valid47){
if(data35.strict !== undefined){
let data39 = data35.strict;
const _errs209 = errors;
const _errs210 = errors;
let valid51 = true;
const _errs211 = errors;
if(data39 !== null){
const err79 = {};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
var _valid31 = _errs211 === errors;
errors = _errs210;
if(vErrors !== null){
if(_errs210){
vErrors.length = _errs210;
}
else {
vErrors = null;
}
}
if(!_valid31){
const _errs213 = errors;
if(typeof data39 !== "boolean"){
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema/strict",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid31 = _errs213 === errors;
valid51 = _valid31;
}
if(!valid51){
const err80 = {instancePath:instancePath+"/response_format/json_schema/strict",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid47 = _errs209 === errors;
}
else {
var valid47 = true;
}
}
}
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/response_format/json_schema",schemaPath:"../shared/response-format.json/allOf/3/then/properties/json_schema/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
}
}
}
var _valid27 = _errs187 === errors;
valid44 = _valid27;
if(valid44){
var props4 = {};
props4.json_schema = true;
props4.type = true;
}
}
if(!valid44){
const err81 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/3/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid33 = _errs183 === errors;
if(valid33){
if(props1 !== true && props4 !== undefined){
if(props4 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props4);
}
}
const _errs215 = errors;
const _errs216 = errors;
let valid52 = true;
const _errs217 = errors;
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing6;
if((data28.type === undefined) && (missing6 = "type")){
const err82 = {};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
else {
if(data28.type !== undefined){
if("grammar" !== data28.type){
const err83 = {};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
}
}
var _valid32 = _errs217 === errors;
errors = _errs216;
if(vErrors !== null){
if(_errs216){
vErrors.length = _errs216;
}
else {
vErrors = null;
}
}
if(_valid32){
const _errs219 = errors;
var _valid32 = _errs219 === errors;
valid52 = _valid32;
if(valid52){
var props5 = {};
props5.grammar = true;
props5.type = true;
}
}
if(!valid52){
const err84 = {instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/allOf/4/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid33 = _errs215 === errors;
if(valid33){
if(props1 !== true && props5 !== undefined){
if(props5 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props5);
}
}
}
}
}
}
}
if(errors === _errs155){
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing7;
if((data28.type === undefined) && (missing7 = "type")){
validate18.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/required",keyword:"required",params:{missingProperty: missing7}}];
return false;
}
else {
if(props1 !== true){
props1 = props1 || {};
props1.type = true;
}
if(data28.type !== undefined){
if(typeof data28.type !== "string"){
validate18.errors = [{instancePath:instancePath+"/response_format/type",schemaPath:"../shared/response-format.json/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/response_format",schemaPath:"../shared/response-format.json/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid21 = _errs154 === errors;
valid31 = _valid21;
}
if(!valid31){
const err85 = {instancePath:instancePath+"/response_format",schemaPath:"#/properties/response_format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs150 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.structured_outputs !== undefined){
let data43 = data.structured_outputs;
const _errs224 = errors;
const _errs225 = errors;
let valid56 = true;
const _errs226 = errors;
if(data43 !== null){
const err86 = {};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
var _valid33 = _errs226 === errors;
errors = _errs225;
if(vErrors !== null){
if(_errs225){
vErrors.length = _errs225;
}
else {
vErrors = null;
}
}
if(!_valid33){
const _errs228 = errors;
if(errors === _errs228){
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
const _errs230 = errors;
for(const key5 in data43){
if(!((((key5 === "json") || (key5 === "json_object")) || (key5 === "regex")) || (key5 === "grammar"))){
validate18.errors = [{instancePath:instancePath+"/structured_outputs",schemaPath:"#/properties/structured_outputs/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs230 === errors){
if(data43.json !== undefined){
let data44 = data43.json;
const _errs231 = errors;
const _errs232 = errors;
let valid58 = true;
const _errs233 = errors;
if(data44 !== null){
const err87 = {};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
var _valid34 = _errs233 === errors;
errors = _errs232;
if(vErrors !== null){
if(_errs232){
vErrors.length = _errs232;
}
else {
vErrors = null;
}
}
if(!_valid34){
const _errs235 = errors;
if(!(data44 && typeof data44 == "object" && !Array.isArray(data44))){
validate18.errors = [{instancePath:instancePath+"/structured_outputs/json",schemaPath:"#/properties/structured_outputs/else/properties/json/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid34 = _errs235 === errors;
valid58 = _valid34;
}
if(!valid58){
const err88 = {instancePath:instancePath+"/structured_outputs/json",schemaPath:"#/properties/structured_outputs/else/properties/json/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid57 = _errs231 === errors;
}
else {
var valid57 = true;
}
if(valid57){
if(data43.json_object !== undefined){
let data45 = data43.json_object;
const _errs237 = errors;
const _errs238 = errors;
let valid59 = true;
const _errs239 = errors;
if(data45 !== null){
const err89 = {};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
var _valid35 = _errs239 === errors;
errors = _errs238;
if(vErrors !== null){
if(_errs238){
vErrors.length = _errs238;
}
else {
vErrors = null;
}
}
if(!_valid35){
const _errs241 = errors;
if(typeof data45 !== "boolean"){
validate18.errors = [{instancePath:instancePath+"/structured_outputs/json_object",schemaPath:"#/properties/structured_outputs/else/properties/json_object/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid35 = _errs241 === errors;
valid59 = _valid35;
}
if(!valid59){
const err90 = {instancePath:instancePath+"/structured_outputs/json_object",schemaPath:"#/properties/structured_outputs/else/properties/json_object/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid57 = _errs237 === errors;
}
else {
var valid57 = true;
}
if(valid57){
if(data43.regex !== undefined){
let data46 = data43.regex;
const _errs243 = errors;
const _errs244 = errors;
let valid60 = true;
const _errs245 = errors;
if(data46 !== null){
const err91 = {};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
var _valid36 = _errs245 === errors;
errors = _errs244;
if(vErrors !== null){
if(_errs244){
vErrors.length = _errs244;
}
else {
vErrors = null;
}
}
if(!_valid36){
const _errs247 = errors;
if(errors === _errs247){
if(typeof data46 === "string"){
if(data46.length < 1){
validate18.errors = [{instancePath:instancePath+"/structured_outputs/regex",schemaPath:"#/properties/structured_outputs/else/properties/regex/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/structured_outputs/regex",schemaPath:"#/properties/structured_outputs/else/properties/regex/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid36 = _errs247 === errors;
valid60 = _valid36;
}
if(!valid60){
const err92 = {instancePath:instancePath+"/structured_outputs/regex",schemaPath:"#/properties/structured_outputs/else/properties/regex/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid57 = _errs243 === errors;
}
else {
var valid57 = true;
}
if(valid57){
if(data43.grammar !== undefined){
let data47 = data43.grammar;
const _errs249 = errors;
const _errs250 = errors;
let valid61 = true;
const _errs251 = errors;
if(data47 !== null){
const err93 = {};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
var _valid37 = _errs251 === errors;
errors = _errs250;
if(vErrors !== null){
if(_errs250){
vErrors.length = _errs250;
}
else {
vErrors = null;
}
}
if(!_valid37){
const _errs253 = errors;
if(errors === _errs253){
if(typeof data47 === "string"){
if(data47.length < 1){
validate18.errors = [{instancePath:instancePath+"/structured_outputs/grammar",schemaPath:"#/properties/structured_outputs/else/properties/grammar/else/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/structured_outputs/grammar",schemaPath:"#/properties/structured_outputs/else/properties/grammar/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid37 = _errs253 === errors;
valid61 = _valid37;
}
if(!valid61){
const err94 = {instancePath:instancePath+"/structured_outputs/grammar",schemaPath:"#/properties/structured_outputs/else/properties/grammar/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid57 = _errs249 === errors;
}
else {
var valid57 = true;
}
}
}
}
}
}
else {
validate18.errors = [{instancePath:instancePath+"/structured_outputs",schemaPath:"#/properties/structured_outputs/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid33 = _errs228 === errors;
valid56 = _valid33;
}
if(!valid56){
const err95 = {instancePath:instancePath+"/structured_outputs",schemaPath:"#/properties/structured_outputs/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
validate18.errors = vErrors;
return false;
}
var valid0 = _errs224 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs255 = errors;
var valid0 = _errs255 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_key !== undefined){
const _errs257 = errors;
var valid0 = _errs257 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.safety_identifier !== undefined){
const _errs259 = errors;
var valid0 = _errs259 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.service_tier !== undefined){
const _errs261 = errors;
var valid0 = _errs261 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs263 = errors;
var valid0 = _errs263 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate18.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate18.errors = vErrors;
return errors === 0;
}
validate18.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const count_tokens = validate19;
const schema20 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/count-tokens.json","type":"object","properties":{"max_tokens":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"$ref":"../shared/messages-request.json","unevaluatedProperties":false};
const schema21 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/shared/messages-request.json","type":"object","required":["model","messages"],"properties":{"model":{"type":"string","minLength":1},"messages":{"type":"array","minItems":1,"maxItems":10000,"items":{"$ref":"#/$defs/message"}},"system":{"if":{"type":"null"},"else":{"type":["string","array"],"maxItems":10000,"items":{"$ref":"#/$defs/systemBlock"}}},"tools":{"if":{"type":"null"},"else":{"type":"array","maxItems":1024,"items":{"$ref":"#/$defs/tool"}}},"tool_choice":{"if":{"type":"null"},"else":{"type":"object","required":["type"],"properties":{"type":{"enum":["auto","none","any","tool"]},"name":{"if":{"type":"null"},"else":{"type":"string"}},"disable_parallel_tool_use":{"if":{"type":"null"},"else":{"type":"boolean"}}},"if":{"required":["type"],"properties":{"type":{"const":"tool"}}},"then":{"required":["name"],"properties":{"name":{"type":"string"}}},"additionalProperties":false}},"thinking":{"if":{"type":"null"},"else":{"type":"object","required":["type"],"properties":{"type":{"enum":["enabled","disabled","adaptive"]},"budget_tokens":{"if":{"type":"null"},"else":{"x-no-effect":true}},"display":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false}},"output_config":{"if":{"type":"null"},"else":{"type":"object","properties":{"effort":{"if":{"type":"null"},"else":{}},"format":{"if":{"type":"null"},"else":false},"task_budget":{"if":{"type":"null"},"else":false}},"additionalProperties":false}},"stop_sequences":{"if":{"type":"null"},"else":{"type":"array","maxItems":64,"items":{"type":"string","minLength":1}}},"temperature":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":2}},"top_p":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":1}},"top_k":{"if":{"type":"null"},"else":{"type":"integer","minimum":0,"maximum":2147483647}},"stream":{"if":{"type":"null"},"else":{"type":"boolean"}},"thread":{"if":{"type":"null"},"else":{}},"cache_control":{"if":{"type":"null"},"else":{"x-no-effect":true}},"context_management":{"if":{"type":"null"},"else":{"x-no-effect":true}},"metadata":{"if":{"type":"null"},"else":{"x-no-effect":true}},"service_tier":{"if":{"type":"null"},"else":{"x-no-effect":true}},"compaction":{"if":{"type":"null"},"else":false},"container":{"if":{"type":"null"},"else":false},"fallbacks":{"if":{"type":"null"},"else":false},"inference_geo":{"if":{"type":"null"},"else":false},"mcp_servers":{"if":{"type":"null"},"else":false},"output_format":{"if":{"type":"null"},"else":false},"speed":{"if":{"type":"null"},"else":false}},"$defs":{"message":{"type":"object","required":["role","content"],"properties":{"role":{"enum":["user","assistant","system"]},"content":{"$ref":"#/$defs/content"}},"x-ignore-others":[]},"systemBlock":{"type":"object","required":["type"],"properties":{"type":{"const":"text"}},"if":{"required":["type"],"properties":{"type":{"const":"text"}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}},"x-ignore-others":["type","cache_control"]}},"content":{"type":["string","array"],"maxItems":10000,"items":{"$ref":"#/$defs/block"}},"block":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"text"}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"tool_use"}}},"then":{"required":["id","name"],"properties":{"id":{"type":"string","minLength":1},"name":{"type":"string","minLength":1},"input":{"if":{"type":"null"},"else":{"type":"object"}}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"tool_result"}}},"then":{"properties":{"tool_use_id":{"if":{"type":"null"},"else":{"type":"string"}},"content":{"if":{"type":"null"},"else":{"$ref":"#/$defs/content"}},"is_error":{"if":{"type":"null"},"else":{"type":"boolean"}}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"thinking"}}},"then":{"required":["thinking"],"properties":{"thinking":{"type":"string"}},"x-ignore-others":["type","signature","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"tool_reference"}}},"then":{"required":["tool_name"],"properties":{"tool_name":{"type":"string"}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"image"}}},"then":{"required":["source"],"properties":{"source":{"$ref":"#/$defs/imageSource"}},"x-ignore-others":["type","cache_control"]}}]},"imageSource":{"type":"object","required":["type"],"properties":{"type":{"enum":["base64","url","file"]}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"base64"}}},"then":{"required":["media_type","data"],"properties":{"media_type":{"type":"string","pattern":"^image/[a-z0-9.+-]{1,64}$"},"data":{"type":"string","minLength":1}},"x-ignore-others":["type"]}},{"if":{"required":["type"],"properties":{"type":{"const":"url"}}},"then":{"required":["url"],"properties":{"url":{"type":"string","minLength":1}},"x-ignore-others":["type"]}},{"if":{"required":["type"],"properties":{"type":{"const":"file"}}},"then":{"required":["file_id"],"properties":{"file_id":{"type":"string","minLength":1}},"x-ignore-others":["type"]}}]},"tool":{"type":"object","properties":{"type":{"if":{"type":"null"},"else":{"type":"string"}},"name":{"if":{"type":"null"},"else":{"type":"string"}},"description":{"if":{"type":"null"},"else":{"type":"string"}},"strict":{"if":{"type":"null"},"else":{"type":"boolean"}}},"if":{"properties":{"type":{"enum":["custom",null]}}},"then":{"properties":{"type":true,"name":true,"description":true,"input_schema":true,"strict":true,"allowed_callers":{"if":{"type":"null"},"else":{"x-no-effect":true}},"cache_control":{"if":{"type":"null"},"else":{"x-no-effect":true}},"defer_loading":{"if":{"type":"null"},"else":{"x-no-effect":true}},"eager_input_streaming":{"if":{"type":"null"},"else":{"x-no-effect":true}},"input_examples":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false},"else":{"x-ignore-others":["type","name","description","input_schema","strict","cache_control","defer_loading"]}}}};
const schema26 = {"type":"object","required":["type"],"properties":{"type":{"const":"text"}},"if":{"required":["type"],"properties":{"type":{"const":"text"}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}},"x-ignore-others":["type","cache_control"]}};
const schema27 = {"type":"object","properties":{"type":{"if":{"type":"null"},"else":{"type":"string"}},"name":{"if":{"type":"null"},"else":{"type":"string"}},"description":{"if":{"type":"null"},"else":{"type":"string"}},"strict":{"if":{"type":"null"},"else":{"type":"boolean"}}},"if":{"properties":{"type":{"enum":["custom",null]}}},"then":{"properties":{"type":true,"name":true,"description":true,"input_schema":true,"strict":true,"allowed_callers":{"if":{"type":"null"},"else":{"x-no-effect":true}},"cache_control":{"if":{"type":"null"},"else":{"x-no-effect":true}},"defer_loading":{"if":{"type":"null"},"else":{"x-no-effect":true}},"eager_input_streaming":{"if":{"type":"null"},"else":{"x-no-effect":true}},"input_examples":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false},"else":{"x-ignore-others":["type","name","description","input_schema","strict","cache_control","defer_loading"]}};
const schema22 = {"type":"object","required":["role","content"],"properties":{"role":{"enum":["user","assistant","system"]},"content":{"$ref":"#/$defs/content"}},"x-ignore-others":[]};
const schema23 = {"type":["string","array"],"maxItems":10000,"items":{"$ref":"#/$defs/block"}};
const schema24 = {"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"text"}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"tool_use"}}},"then":{"required":["id","name"],"properties":{"id":{"type":"string","minLength":1},"name":{"type":"string","minLength":1},"input":{"if":{"type":"null"},"else":{"type":"object"}}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"tool_result"}}},"then":{"properties":{"tool_use_id":{"if":{"type":"null"},"else":{"type":"string"}},"content":{"if":{"type":"null"},"else":{"$ref":"#/$defs/content"}},"is_error":{"if":{"type":"null"},"else":{"type":"boolean"}}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"thinking"}}},"then":{"required":["thinking"],"properties":{"thinking":{"type":"string"}},"x-ignore-others":["type","signature","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"tool_reference"}}},"then":{"required":["tool_name"],"properties":{"tool_name":{"type":"string"}},"x-ignore-others":["type","cache_control"]}},{"if":{"required":["type"],"properties":{"type":{"const":"image"}}},"then":{"required":["source"],"properties":{"source":{"$ref":"#/$defs/imageSource"}},"x-ignore-others":["type","cache_control"]}}]};
const schema25 = {"type":"object","required":["type"],"properties":{"type":{"enum":["base64","url","file"]}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"base64"}}},"then":{"required":["media_type","data"],"properties":{"media_type":{"type":"string","pattern":"^image/[a-z0-9.+-]{1,64}$"},"data":{"type":"string","minLength":1}},"x-ignore-others":["type"]}},{"if":{"required":["type"],"properties":{"type":{"const":"url"}}},"then":{"required":["url"],"properties":{"url":{"type":"string","minLength":1}},"x-ignore-others":["type"]}},{"if":{"required":["type"],"properties":{"type":{"const":"file"}}},"then":{"required":["file_id"],"properties":{"file_id":{"type":"string","minLength":1}},"x-ignore-others":["type"]}}]};
const wrapper0 = {validate: validate22};
const pattern2 = new RegExp("^image/[a-z0-9.+-]{1,64}$", "u");

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
const _errs2 = errors;
let valid1 = true;
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.type !== undefined){
if("text" !== data.type){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
var _valid0 = _errs3 === errors;
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.text === undefined) && (missing1 = "text")){
validate23.errors = [{instancePath,schemaPath:"#/allOf/0/then/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
if(data.text !== undefined){
const _errs6 = errors;
if(typeof data.text !== "string"){
validate23.errors = [{instancePath:instancePath+"/text",schemaPath:"#/allOf/0/then/properties/text/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
for(const name0 in data){
if(!(name0 === "cache_control" || name0 === "type" || name0 === "text" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
}
}
var _valid0 = _errs5 === errors;
valid1 = _valid0;
if(valid1){
var props0 = {};
props0.text = true;
props0.type = true;
}
}
if(!valid1){
const err2 = {instancePath,schemaPath:"#/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs8 = errors;
const _errs9 = errors;
let valid4 = true;
const _errs10 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.type === undefined) && (missing2 = "type")){
const err3 = {};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
if(data.type !== undefined){
if("tool_use" !== data.type){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
}
var _valid1 = _errs10 === errors;
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs12 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if(((data.id === undefined) && (missing3 = "id")) || ((data.name === undefined) && (missing3 = "name"))){
validate23.errors = [{instancePath,schemaPath:"#/allOf/1/then/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
if(data.id !== undefined){
let data3 = data.id;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data3 === "string"){
if(data3.length < 1){
validate23.errors = [{instancePath:instancePath+"/id",schemaPath:"#/allOf/1/then/properties/id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/id",schemaPath:"#/allOf/1/then/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid6 = _errs13 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data.name !== undefined){
let data4 = data.name;
const _errs15 = errors;
if(errors === _errs15){
if(typeof data4 === "string"){
if(data4.length < 1){
validate23.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid6 = _errs15 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data.input !== undefined){
let data5 = data.input;
const _errs17 = errors;
const _errs18 = errors;
let valid7 = true;
const _errs19 = errors;
if(data5 !== null){
const err5 = {};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid2 = _errs19 === errors;
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs21 = errors;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
validate23.errors = [{instancePath:instancePath+"/input",schemaPath:"#/allOf/1/then/properties/input/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid2 = _errs21 === errors;
valid7 = _valid2;
}
if(!valid7){
const err6 = {instancePath:instancePath+"/input",schemaPath:"#/allOf/1/then/properties/input/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid6 = _errs17 === errors;
}
else {
var valid6 = true;
}
if(valid6){
for(const name1 in data){
if(!(name1 === "cache_control" || name1 === "type" || name1 === "input" || name1 === "name" || name1 === "id" || data[name1] === null)){
this.add(instancePath, name1);
}
}
}
}
}
}
}
var _valid1 = _errs12 === errors;
valid4 = _valid1;
if(valid4){
var props1 = {};
props1.id = true;
props1.name = true;
props1.input = true;
props1.type = true;
}
}
if(!valid4){
const err7 = {instancePath,schemaPath:"#/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid0 = _errs8 === errors;
if(valid0){
if(props0 !== true && props1 !== undefined){
if(props1 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props1);
}
}
const _errs23 = errors;
const _errs24 = errors;
let valid8 = true;
const _errs25 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing4;
if((data.type === undefined) && (missing4 = "type")){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
else {
if(data.type !== undefined){
if("tool_result" !== data.type){
const err9 = {};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
var _valid3 = _errs25 === errors;
errors = _errs24;
if(vErrors !== null){
if(_errs24){
vErrors.length = _errs24;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs27 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tool_use_id !== undefined){
let data7 = data.tool_use_id;
const _errs28 = errors;
const _errs29 = errors;
let valid11 = true;
const _errs30 = errors;
if(data7 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid4 = _errs30 === errors;
errors = _errs29;
if(vErrors !== null){
if(_errs29){
vErrors.length = _errs29;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs32 = errors;
if(typeof data7 !== "string"){
validate23.errors = [{instancePath:instancePath+"/tool_use_id",schemaPath:"#/allOf/2/then/properties/tool_use_id/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid4 = _errs32 === errors;
valid11 = _valid4;
}
if(!valid11){
const err11 = {instancePath:instancePath+"/tool_use_id",schemaPath:"#/allOf/2/then/properties/tool_use_id/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid10 = _errs28 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data.content !== undefined){
let data8 = data.content;
const _errs34 = errors;
const _errs35 = errors;
let valid12 = true;
const _errs36 = errors;
if(data8 !== null){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid5 = _errs36 === errors;
errors = _errs35;
if(vErrors !== null){
if(_errs35){
vErrors.length = _errs35;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs38 = errors;
if(!(wrapper0.validate.call(this, data8, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
var _valid5 = _errs38 === errors;
valid12 = _valid5;
}
if(!valid12){
const err13 = {instancePath:instancePath+"/content",schemaPath:"#/allOf/2/then/properties/content/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid10 = _errs34 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data.is_error !== undefined){
let data9 = data.is_error;
const _errs39 = errors;
const _errs40 = errors;
let valid13 = true;
const _errs41 = errors;
if(data9 !== null){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid6 = _errs41 === errors;
errors = _errs40;
if(vErrors !== null){
if(_errs40){
vErrors.length = _errs40;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs43 = errors;
if(typeof data9 !== "boolean"){
validate23.errors = [{instancePath:instancePath+"/is_error",schemaPath:"#/allOf/2/then/properties/is_error/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid6 = _errs43 === errors;
valid13 = _valid6;
}
if(!valid13){
const err15 = {instancePath:instancePath+"/is_error",schemaPath:"#/allOf/2/then/properties/is_error/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid10 = _errs39 === errors;
}
else {
var valid10 = true;
}
if(valid10){
for(const name2 in data){
if(!(name2 === "cache_control" || name2 === "type" || name2 === "is_error" || name2 === "content" || name2 === "tool_use_id" || data[name2] === null)){
this.add(instancePath, name2);
}
}
}
}
}
}
var _valid3 = _errs27 === errors;
valid8 = _valid3;
if(valid8){
var props3 = {};
props3.tool_use_id = true;
props3.content = true;
props3.is_error = true;
props3.type = true;
}
}
if(!valid8){
const err16 = {instancePath,schemaPath:"#/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid0 = _errs23 === errors;
if(valid0){
if(props0 !== true && props3 !== undefined){
if(props3 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props3);
}
}
const _errs45 = errors;
const _errs46 = errors;
let valid14 = true;
const _errs47 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing5;
if((data.type === undefined) && (missing5 = "type")){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
else {
if(data.type !== undefined){
if("thinking" !== data.type){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
}
var _valid7 = _errs47 === errors;
errors = _errs46;
if(vErrors !== null){
if(_errs46){
vErrors.length = _errs46;
}
else {
vErrors = null;
}
}
if(_valid7){
const _errs49 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing6;
if((data.thinking === undefined) && (missing6 = "thinking")){
validate23.errors = [{instancePath,schemaPath:"#/allOf/3/then/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
if(data.thinking !== undefined){
const _errs50 = errors;
if(typeof data.thinking !== "string"){
validate23.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/allOf/3/then/properties/thinking/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid16 = _errs50 === errors;
}
else {
var valid16 = true;
}
if(valid16){
for(const name3 in data){
if(!(name3 === "cache_control" || name3 === "signature" || name3 === "type" || name3 === "thinking" || data[name3] === null)){
this.add(instancePath, name3);
}
}
}
}
}
var _valid7 = _errs49 === errors;
valid14 = _valid7;
if(valid14){
var props4 = {};
props4.thinking = true;
props4.type = true;
}
}
if(!valid14){
const err19 = {instancePath,schemaPath:"#/allOf/3/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid0 = _errs45 === errors;
if(valid0){
if(props0 !== true && props4 !== undefined){
if(props4 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props4);
}
}
const _errs52 = errors;
const _errs53 = errors;
let valid17 = true;
const _errs54 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing7;
if((data.type === undefined) && (missing7 = "type")){
const err20 = {};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
else {
if(data.type !== undefined){
if("tool_reference" !== data.type){
const err21 = {};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
}
var _valid8 = _errs54 === errors;
errors = _errs53;
if(vErrors !== null){
if(_errs53){
vErrors.length = _errs53;
}
else {
vErrors = null;
}
}
if(_valid8){
const _errs56 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing8;
if((data.tool_name === undefined) && (missing8 = "tool_name")){
validate23.errors = [{instancePath,schemaPath:"#/allOf/4/then/required",keyword:"required",params:{missingProperty: missing8}}];
return false;
}
else {
if(data.tool_name !== undefined){
const _errs57 = errors;
if(typeof data.tool_name !== "string"){
validate23.errors = [{instancePath:instancePath+"/tool_name",schemaPath:"#/allOf/4/then/properties/tool_name/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid19 = _errs57 === errors;
}
else {
var valid19 = true;
}
if(valid19){
for(const name4 in data){
if(!(name4 === "cache_control" || name4 === "type" || name4 === "tool_name" || data[name4] === null)){
this.add(instancePath, name4);
}
}
}
}
}
var _valid8 = _errs56 === errors;
valid17 = _valid8;
if(valid17){
var props5 = {};
props5.tool_name = true;
props5.type = true;
}
}
if(!valid17){
const err22 = {instancePath,schemaPath:"#/allOf/4/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid0 = _errs52 === errors;
if(valid0){
if(props0 !== true && props5 !== undefined){
if(props5 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props5);
}
}
const _errs59 = errors;
const _errs60 = errors;
let valid20 = true;
const _errs61 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing9;
if((data.type === undefined) && (missing9 = "type")){
const err23 = {};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
else {
if(data.type !== undefined){
if("image" !== data.type){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
}
var _valid9 = _errs61 === errors;
errors = _errs60;
if(vErrors !== null){
if(_errs60){
vErrors.length = _errs60;
}
else {
vErrors = null;
}
}
if(_valid9){
const _errs63 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing10;
if((data.source === undefined) && (missing10 = "source")){
validate23.errors = [{instancePath,schemaPath:"#/allOf/5/then/required",keyword:"required",params:{missingProperty: missing10}}];
return false;
}
else {
if(data.source !== undefined){
let data15 = data.source;
const _errs64 = errors;
const _errs65 = errors;
const _errs67 = errors;
const _errs68 = errors;
let valid25 = true;
const _errs69 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing11;
if((data15.type === undefined) && (missing11 = "type")){
const err25 = {};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
else {
if(data15.type !== undefined){
if("base64" !== data15.type){
const err26 = {};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
}
var _valid10 = _errs69 === errors;
errors = _errs68;
if(vErrors !== null){
if(_errs68){
vErrors.length = _errs68;
}
else {
vErrors = null;
}
}
if(_valid10){
const _errs71 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing12;
if(((data15.media_type === undefined) && (missing12 = "media_type")) || ((data15.data === undefined) && (missing12 = "data"))){
validate23.errors = [{instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/allOf/0/then/required",keyword:"required",params:{missingProperty: missing12}}];
return false;
}
else {
if(data15.media_type !== undefined){
let data17 = data15.media_type;
const _errs72 = errors;
if(errors === _errs72){
if(typeof data17 === "string"){
if(!pattern2.test(data17)){
validate23.errors = [{instancePath:instancePath+"/source/media_type",schemaPath:"#/$defs/imageSource/allOf/0/then/properties/media_type/pattern",keyword:"pattern",params:{pattern: "^image/[a-z0-9.+-]{1,64}$"}}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/source/media_type",schemaPath:"#/$defs/imageSource/allOf/0/then/properties/media_type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid27 = _errs72 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data15.data !== undefined){
let data18 = data15.data;
const _errs74 = errors;
if(errors === _errs74){
if(typeof data18 === "string"){
if(data18.length < 1){
validate23.errors = [{instancePath:instancePath+"/source/data",schemaPath:"#/$defs/imageSource/allOf/0/then/properties/data/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/source/data",schemaPath:"#/$defs/imageSource/allOf/0/then/properties/data/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid27 = _errs74 === errors;
}
else {
var valid27 = true;
}
if(valid27){
for(const name5 in data15){
if(!(name5 === "type" || name5 === "data" || name5 === "media_type" || data15[name5] === null)){
this.add(instancePath+"/source", name5);
}
}
}
}
}
}
var _valid10 = _errs71 === errors;
valid25 = _valid10;
if(valid25){
var props6 = {};
props6.media_type = true;
props6.data = true;
props6.type = true;
}
}
if(!valid25){
const err27 = {instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid24 = _errs67 === errors;
if(valid24){
const _errs76 = errors;
const _errs77 = errors;
let valid28 = true;
const _errs78 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing13;
if((data15.type === undefined) && (missing13 = "type")){
const err28 = {};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
else {
if(data15.type !== undefined){
if("url" !== data15.type){
const err29 = {};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
}
var _valid11 = _errs78 === errors;
errors = _errs77;
if(vErrors !== null){
if(_errs77){
vErrors.length = _errs77;
}
else {
vErrors = null;
}
}
if(_valid11){
const _errs80 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing14;
if((data15.url === undefined) && (missing14 = "url")){
validate23.errors = [{instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/allOf/1/then/required",keyword:"required",params:{missingProperty: missing14}}];
return false;
}
else {
if(data15.url !== undefined){
let data20 = data15.url;
const _errs81 = errors;
if(errors === _errs81){
if(typeof data20 === "string"){
if(data20.length < 1){
validate23.errors = [{instancePath:instancePath+"/source/url",schemaPath:"#/$defs/imageSource/allOf/1/then/properties/url/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/source/url",schemaPath:"#/$defs/imageSource/allOf/1/then/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid30 = _errs81 === errors;
}
else {
var valid30 = true;
}
if(valid30){
for(const name6 in data15){
if(!(name6 === "type" || name6 === "url" || data15[name6] === null)){
this.add(instancePath+"/source", name6);
}
}
}
}
}
var _valid11 = _errs80 === errors;
valid28 = _valid11;
if(valid28){
var props7 = {};
props7.url = true;
props7.type = true;
}
}
if(!valid28){
const err30 = {instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid24 = _errs76 === errors;
if(valid24){
if(props6 !== true && props7 !== undefined){
if(props7 === true){
props6 = true;
}
else {
props6 = props6 || {};
Object.assign(props6, props7);
}
}
const _errs83 = errors;
const _errs84 = errors;
let valid31 = true;
const _errs85 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing15;
if((data15.type === undefined) && (missing15 = "type")){
const err31 = {};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
else {
if(data15.type !== undefined){
if("file" !== data15.type){
const err32 = {};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
}
var _valid12 = _errs85 === errors;
errors = _errs84;
if(vErrors !== null){
if(_errs84){
vErrors.length = _errs84;
}
else {
vErrors = null;
}
}
if(_valid12){
const _errs87 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing16;
if((data15.file_id === undefined) && (missing16 = "file_id")){
validate23.errors = [{instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/allOf/2/then/required",keyword:"required",params:{missingProperty: missing16}}];
return false;
}
else {
if(data15.file_id !== undefined){
let data22 = data15.file_id;
const _errs88 = errors;
if(errors === _errs88){
if(typeof data22 === "string"){
if(data22.length < 1){
validate23.errors = [{instancePath:instancePath+"/source/file_id",schemaPath:"#/$defs/imageSource/allOf/2/then/properties/file_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/source/file_id",schemaPath:"#/$defs/imageSource/allOf/2/then/properties/file_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid33 = _errs88 === errors;
}
else {
var valid33 = true;
}
if(valid33){
for(const name7 in data15){
if(!(name7 === "type" || name7 === "file_id" || data15[name7] === null)){
this.add(instancePath+"/source", name7);
}
}
}
}
}
var _valid12 = _errs87 === errors;
valid31 = _valid12;
if(valid31){
var props8 = {};
props8.file_id = true;
props8.type = true;
}
}
if(!valid31){
const err33 = {instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid24 = _errs83 === errors;
if(valid24){
if(props6 !== true && props8 !== undefined){
if(props8 === true){
props6 = true;
}
else {
props6 = props6 || {};
Object.assign(props6, props8);
}
}
}
}
}
if(errors === _errs65){
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing17;
if((data15.type === undefined) && (missing17 = "type")){
validate23.errors = [{instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/required",keyword:"required",params:{missingProperty: missing17}}];
return false;
}
else {
if(props6 !== true){
props6 = props6 || {};
props6.type = true;
}
if(data15.type !== undefined){
let data23 = data15.type;
if(!(((data23 === "base64") || (data23 === "url")) || (data23 === "file"))){
validate23.errors = [{instancePath:instancePath+"/source/type",schemaPath:"#/$defs/imageSource/properties/type/enum",keyword:"enum",params:{allowedValues: schema25.properties.type.enum}}];
return false;
}
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/source",schemaPath:"#/$defs/imageSource/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid22 = _errs64 === errors;
}
else {
var valid22 = true;
}
if(valid22){
for(const name8 in data){
if(!(name8 === "cache_control" || name8 === "type" || name8 === "source" || data[name8] === null)){
this.add(instancePath, name8);
}
}
}
}
}
var _valid9 = _errs63 === errors;
valid20 = _valid9;
if(valid20){
var props9 = {};
props9.source = true;
props9.type = true;
}
}
if(!valid20){
const err34 = {instancePath,schemaPath:"#/allOf/5/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
validate23.errors = vErrors;
return false;
}
var valid0 = _errs59 === errors;
if(valid0){
if(props0 !== true && props9 !== undefined){
if(props9 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props9);
}
}
}
}
}
}
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing18;
if((data.type === undefined) && (missing18 = "type")){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing18}}];
return false;
}
else {
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
validate23.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate23.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate23.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (!(Array.isArray(data)))){
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema23.type}}];
return false;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 10000){
validate22.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate23.call(this, data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};


function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.role === undefined) && (missing0 = "role")) || ((data.content === undefined) && (missing0 = "content"))){
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.role !== undefined){
let data0 = data.role;
const _errs1 = errors;
if(!(((data0 === "user") || (data0 === "assistant")) || (data0 === "system"))){
validate21.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema22.properties.role.enum}}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
const _errs2 = errors;
if(!(validate22.call(this, data.content, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const name0 in data){
if(!(name0 === "content" || name0 === "role" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
}
}
}
else {
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"role":true,"content":true},"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/shared/messages-request.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.model === undefined) && (missing0 = "model")) || ((data.messages === undefined) && (missing0 = "messages"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.model !== undefined){
let data0 = data.model;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(data0.length < 1){
validate20.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
let data1 = data.messages;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
if(data1.length > 10000){
validate20.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
if(data1.length < 1){
validate20.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs5 = errors;
if(!(validate21.call(this, data1[i0], {instancePath:instancePath+"/messages/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.system !== undefined){
let data3 = data.system;
const _errs6 = errors;
const _errs7 = errors;
let valid2 = true;
const _errs8 = errors;
if(data3 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs10 = errors;
if((typeof data3 !== "string") && (!(Array.isArray(data3)))){
validate20.errors = [{instancePath:instancePath+"/system",schemaPath:"#/properties/system/else/type",keyword:"type",params:{type: schema21.properties.system.else.type}}];
return false;
}
if(errors === _errs10){
if(Array.isArray(data3)){
if(data3.length > 10000){
validate20.errors = [{instancePath:instancePath+"/system",schemaPath:"#/properties/system/else/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
var valid3 = true;
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
let data4 = data3[i1];
const _errs12 = errors;
const _errs13 = errors;
const _errs15 = errors;
let valid5 = true;
const _errs16 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing1;
if((data4.type === undefined) && (missing1 = "type")){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data4.type !== undefined){
if("text" !== data4.type){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
var _valid1 = _errs16 === errors;
errors = _errs15;
if(vErrors !== null){
if(_errs15){
vErrors.length = _errs15;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs18 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing2;
if((data4.text === undefined) && (missing2 = "text")){
validate20.errors = [{instancePath:instancePath+"/system/" + i1,schemaPath:"#/$defs/systemBlock/then/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
if(data4.text !== undefined){
const _errs19 = errors;
if(typeof data4.text !== "string"){
validate20.errors = [{instancePath:instancePath+"/system/" + i1+"/text",schemaPath:"#/$defs/systemBlock/then/properties/text/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid7 = _errs19 === errors;
}
else {
var valid7 = true;
}
if(valid7){
for(const name0 in data4){
if(!(name0 === "cache_control" || name0 === "type" || name0 === "text" || data4[name0] === null)){
this.add(instancePath+"/system/" + i1, name0);
}
}
}
}
}
var _valid1 = _errs18 === errors;
valid5 = _valid1;
if(valid5){
var props0 = {};
props0.text = true;
props0.type = true;
}
}
if(!valid5){
const err3 = {instancePath:instancePath+"/system/" + i1,schemaPath:"#/$defs/systemBlock/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate20.errors = vErrors;
return false;
}
if(errors === _errs13){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing3;
if((data4.type === undefined) && (missing3 = "type")){
validate20.errors = [{instancePath:instancePath+"/system/" + i1,schemaPath:"#/$defs/systemBlock/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
if(data4.type !== undefined){
if("text" !== data4.type){
validate20.errors = [{instancePath:instancePath+"/system/" + i1+"/type",schemaPath:"#/$defs/systemBlock/properties/type/const",keyword:"const",params:{allowedValue: "text"}}];
return false;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/system/" + i1,schemaPath:"#/$defs/systemBlock/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid3 = _errs12 === errors;
if(!valid3){
break;
}
}
}
}
}
var _valid0 = _errs10 === errors;
valid2 = _valid0;
}
if(!valid2){
const err4 = {instancePath:instancePath+"/system",schemaPath:"#/properties/system/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
let data8 = data.tools;
const _errs22 = errors;
const _errs23 = errors;
let valid9 = true;
const _errs24 = errors;
if(data8 !== null){
const err5 = {};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid2 = _errs24 === errors;
errors = _errs23;
if(vErrors !== null){
if(_errs23){
vErrors.length = _errs23;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs26 = errors;
if(errors === _errs26){
if(Array.isArray(data8)){
if(data8.length > 1024){
validate20.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/else/maxItems",keyword:"maxItems",params:{limit: 1024}}];
return false;
}
else {
var valid10 = true;
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
let data9 = data8[i2];
const _errs28 = errors;
const _errs29 = errors;
const _errs31 = errors;
let valid12 = true;
const _errs32 = errors;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.type !== undefined){
let data10 = data9.type;
if(!((data10 === "custom") || (data10 === null))){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
var _valid3 = _errs32 === errors;
errors = _errs31;
if(vErrors !== null){
if(_errs31){
vErrors.length = _errs31;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid3){
const _errs34 = errors;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
const _errs35 = errors;
for(const key0 in data9){
if(!(func0.call(schema27.then.properties, key0))){
validate20.errors = [{instancePath:instancePath+"/tools/" + i2,schemaPath:"#/$defs/tool/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs35 === errors){
if(data9.allowed_callers !== undefined){
const _errs36 = errors;
var valid14 = _errs36 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data9.cache_control !== undefined){
const _errs38 = errors;
var valid14 = _errs38 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data9.defer_loading !== undefined){
const _errs40 = errors;
var valid14 = _errs40 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data9.eager_input_streaming !== undefined){
const _errs42 = errors;
var valid14 = _errs42 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data9.input_examples !== undefined){
const _errs44 = errors;
var valid14 = _errs44 === errors;
}
else {
var valid14 = true;
}
}
}
}
}
}
}
var _valid3 = _errs34 === errors;
valid12 = _valid3;
if(valid12){
var props1 = true;
}
ifClause0 = "then";
}
else {
const _errs46 = errors;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
for(const name1 in data9){
if(!(name1 === "defer_loading" || name1 === "cache_control" || name1 === "strict" || name1 === "input_schema" || name1 === "description" || name1 === "name" || name1 === "type" || data9[name1] === null)){
this.add(instancePath+"/tools/" + i2, name1);
}
}
}
var _valid3 = _errs46 === errors;
valid12 = _valid3;
ifClause0 = "else";
}
if(!valid12){
const err7 = {instancePath:instancePath+"/tools/" + i2,schemaPath:"#/$defs/tool/if",keyword:"if",params:{failingKeyword: ifClause0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate20.errors = vErrors;
return false;
}
if(errors === _errs29){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(props1 !== true){
props1 = props1 || {};
props1.type = true;
props1.name = true;
props1.description = true;
props1.strict = true;
}
if(data9.type !== undefined){
let data16 = data9.type;
const _errs47 = errors;
const _errs48 = errors;
let valid16 = true;
const _errs49 = errors;
if(data16 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid4 = _errs49 === errors;
errors = _errs48;
if(vErrors !== null){
if(_errs48){
vErrors.length = _errs48;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs51 = errors;
if(typeof data16 !== "string"){
validate20.errors = [{instancePath:instancePath+"/tools/" + i2+"/type",schemaPath:"#/$defs/tool/properties/type/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid4 = _errs51 === errors;
valid16 = _valid4;
}
if(!valid16){
const err9 = {instancePath:instancePath+"/tools/" + i2+"/type",schemaPath:"#/$defs/tool/properties/type/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid15 = _errs47 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data9.name !== undefined){
let data17 = data9.name;
const _errs53 = errors;
const _errs54 = errors;
let valid17 = true;
const _errs55 = errors;
if(data17 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid5 = _errs55 === errors;
errors = _errs54;
if(vErrors !== null){
if(_errs54){
vErrors.length = _errs54;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs57 = errors;
if(typeof data17 !== "string"){
validate20.errors = [{instancePath:instancePath+"/tools/" + i2+"/name",schemaPath:"#/$defs/tool/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid5 = _errs57 === errors;
valid17 = _valid5;
}
if(!valid17){
const err11 = {instancePath:instancePath+"/tools/" + i2+"/name",schemaPath:"#/$defs/tool/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid15 = _errs53 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data9.description !== undefined){
let data18 = data9.description;
const _errs59 = errors;
const _errs60 = errors;
let valid18 = true;
const _errs61 = errors;
if(data18 !== null){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid6 = _errs61 === errors;
errors = _errs60;
if(vErrors !== null){
if(_errs60){
vErrors.length = _errs60;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs63 = errors;
if(typeof data18 !== "string"){
validate20.errors = [{instancePath:instancePath+"/tools/" + i2+"/description",schemaPath:"#/$defs/tool/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid6 = _errs63 === errors;
valid18 = _valid6;
}
if(!valid18){
const err13 = {instancePath:instancePath+"/tools/" + i2+"/description",schemaPath:"#/$defs/tool/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid15 = _errs59 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data9.strict !== undefined){
let data19 = data9.strict;
const _errs65 = errors;
const _errs66 = errors;
let valid19 = true;
const _errs67 = errors;
if(data19 !== null){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid7 = _errs67 === errors;
errors = _errs66;
if(vErrors !== null){
if(_errs66){
vErrors.length = _errs66;
}
else {
vErrors = null;
}
}
if(!_valid7){
const _errs69 = errors;
if(typeof data19 !== "boolean"){
validate20.errors = [{instancePath:instancePath+"/tools/" + i2+"/strict",schemaPath:"#/$defs/tool/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid7 = _errs69 === errors;
valid19 = _valid7;
}
if(!valid19){
const err15 = {instancePath:instancePath+"/tools/" + i2+"/strict",schemaPath:"#/$defs/tool/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid15 = _errs65 === errors;
}
else {
var valid15 = true;
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/tools/" + i2,schemaPath:"#/$defs/tool/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid10 = _errs28 === errors;
if(!valid10){
break;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid2 = _errs26 === errors;
valid9 = _valid2;
}
if(!valid9){
const err16 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_choice !== undefined){
let data20 = data.tool_choice;
const _errs71 = errors;
const _errs72 = errors;
let valid20 = true;
const _errs73 = errors;
if(data20 !== null){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid8 = _errs73 === errors;
errors = _errs72;
if(vErrors !== null){
if(_errs72){
vErrors.length = _errs72;
}
else {
vErrors = null;
}
}
if(!_valid8){
const _errs75 = errors;
const _errs77 = errors;
let valid21 = true;
const _errs78 = errors;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
let missing4;
if((data20.type === undefined) && (missing4 = "type")){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
else {
if(data20.type !== undefined){
if("tool" !== data20.type){
const err19 = {};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
}
var _valid9 = _errs78 === errors;
errors = _errs77;
if(vErrors !== null){
if(_errs77){
vErrors.length = _errs77;
}
else {
vErrors = null;
}
}
if(_valid9){
const _errs80 = errors;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
let missing5;
if((data20.name === undefined) && (missing5 = "name")){
validate20.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/then/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
if(data20.name !== undefined){
if(typeof data20.name !== "string"){
validate20.errors = [{instancePath:instancePath+"/tool_choice/name",schemaPath:"#/properties/tool_choice/else/then/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
var _valid9 = _errs80 === errors;
valid21 = _valid9;
if(valid21){
var props2 = {};
props2.name = true;
props2.type = true;
}
}
if(!valid21){
const err20 = {instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
validate20.errors = vErrors;
return false;
}
if(errors === _errs75){
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
let missing6;
if((data20.type === undefined) && (missing6 = "type")){
validate20.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
const _errs83 = errors;
for(const key1 in data20){
if(!(((key1 === "type") || (key1 === "name")) || (key1 === "disable_parallel_tool_use"))){
validate20.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs83 === errors){
if(data20.type !== undefined){
let data23 = data20.type;
const _errs84 = errors;
if(!((((data23 === "auto") || (data23 === "none")) || (data23 === "any")) || (data23 === "tool"))){
validate20.errors = [{instancePath:instancePath+"/tool_choice/type",schemaPath:"#/properties/tool_choice/else/properties/type/enum",keyword:"enum",params:{allowedValues: schema21.properties.tool_choice.else.properties.type.enum}}];
return false;
}
var valid24 = _errs84 === errors;
}
else {
var valid24 = true;
}
if(valid24){
if(data20.name !== undefined){
let data24 = data20.name;
const _errs85 = errors;
const _errs86 = errors;
let valid25 = true;
const _errs87 = errors;
if(data24 !== null){
const err21 = {};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var _valid10 = _errs87 === errors;
errors = _errs86;
if(vErrors !== null){
if(_errs86){
vErrors.length = _errs86;
}
else {
vErrors = null;
}
}
if(!_valid10){
const _errs89 = errors;
if(typeof data24 !== "string"){
validate20.errors = [{instancePath:instancePath+"/tool_choice/name",schemaPath:"#/properties/tool_choice/else/properties/name/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid10 = _errs89 === errors;
valid25 = _valid10;
}
if(!valid25){
const err22 = {instancePath:instancePath+"/tool_choice/name",schemaPath:"#/properties/tool_choice/else/properties/name/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid24 = _errs85 === errors;
}
else {
var valid24 = true;
}
if(valid24){
if(data20.disable_parallel_tool_use !== undefined){
let data25 = data20.disable_parallel_tool_use;
const _errs91 = errors;
const _errs92 = errors;
let valid26 = true;
const _errs93 = errors;
if(data25 !== null){
const err23 = {};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
var _valid11 = _errs93 === errors;
errors = _errs92;
if(vErrors !== null){
if(_errs92){
vErrors.length = _errs92;
}
else {
vErrors = null;
}
}
if(!_valid11){
const _errs95 = errors;
if(typeof data25 !== "boolean"){
validate20.errors = [{instancePath:instancePath+"/tool_choice/disable_parallel_tool_use",schemaPath:"#/properties/tool_choice/else/properties/disable_parallel_tool_use/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid11 = _errs95 === errors;
valid26 = _valid11;
}
if(!valid26){
const err24 = {instancePath:instancePath+"/tool_choice/disable_parallel_tool_use",schemaPath:"#/properties/tool_choice/else/properties/disable_parallel_tool_use/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid24 = _errs91 === errors;
}
else {
var valid24 = true;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid8 = _errs75 === errors;
valid20 = _valid8;
}
if(!valid20){
const err25 = {instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs71 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thinking !== undefined){
let data26 = data.thinking;
const _errs97 = errors;
const _errs98 = errors;
let valid27 = true;
const _errs99 = errors;
if(data26 !== null){
const err26 = {};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
var _valid12 = _errs99 === errors;
errors = _errs98;
if(vErrors !== null){
if(_errs98){
vErrors.length = _errs98;
}
else {
vErrors = null;
}
}
if(!_valid12){
const _errs101 = errors;
if(errors === _errs101){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
let missing7;
if((data26.type === undefined) && (missing7 = "type")){
validate20.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/else/required",keyword:"required",params:{missingProperty: missing7}}];
return false;
}
else {
const _errs103 = errors;
for(const key2 in data26){
if(!(((key2 === "type") || (key2 === "budget_tokens")) || (key2 === "display"))){
validate20.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs103 === errors){
if(data26.type !== undefined){
let data27 = data26.type;
const _errs104 = errors;
if(!(((data27 === "enabled") || (data27 === "disabled")) || (data27 === "adaptive"))){
validate20.errors = [{instancePath:instancePath+"/thinking/type",schemaPath:"#/properties/thinking/else/properties/type/enum",keyword:"enum",params:{allowedValues: schema21.properties.thinking.else.properties.type.enum}}];
return false;
}
var valid28 = _errs104 === errors;
}
else {
var valid28 = true;
}
if(valid28){
if(data26.budget_tokens !== undefined){
const _errs105 = errors;
var valid28 = _errs105 === errors;
}
else {
var valid28 = true;
}
if(valid28){
if(data26.display !== undefined){
const _errs107 = errors;
var valid28 = _errs107 === errors;
}
else {
var valid28 = true;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid12 = _errs101 === errors;
valid27 = _valid12;
}
if(!valid27){
const err27 = {instancePath:instancePath+"/thinking",schemaPath:"#/properties/thinking/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs97 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.output_config !== undefined){
let data30 = data.output_config;
const _errs109 = errors;
const _errs110 = errors;
let valid29 = true;
const _errs111 = errors;
if(data30 !== null){
const err28 = {};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
var _valid13 = _errs111 === errors;
errors = _errs110;
if(vErrors !== null){
if(_errs110){
vErrors.length = _errs110;
}
else {
vErrors = null;
}
}
if(!_valid13){
const _errs113 = errors;
if(errors === _errs113){
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
const _errs115 = errors;
for(const key3 in data30){
if(!(((key3 === "effort") || (key3 === "format")) || (key3 === "task_budget"))){
validate20.errors = [{instancePath:instancePath+"/output_config",schemaPath:"#/properties/output_config/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs115 === errors){
if(data30.effort !== undefined){
const _errs116 = errors;
var valid30 = _errs116 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data30.format !== undefined){
const _errs118 = errors;
const _errs119 = errors;
let valid31 = true;
const _errs120 = errors;
if(data30.format !== null){
const err29 = {};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
var _valid14 = _errs120 === errors;
errors = _errs119;
if(vErrors !== null){
if(_errs119){
vErrors.length = _errs119;
}
else {
vErrors = null;
}
}
if(!_valid14){
var _valid14 = false;
validate20.errors = [{instancePath:instancePath+"/output_config/format",schemaPath:"#/properties/output_config/else/properties/format/else/false schema",keyword:"false schema",params:{}}];
return false;
valid31 = _valid14;
}
if(!valid31){
const err30 = {instancePath:instancePath+"/output_config/format",schemaPath:"#/properties/output_config/else/properties/format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid30 = _errs118 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data30.task_budget !== undefined){
const _errs122 = errors;
const _errs123 = errors;
let valid32 = true;
const _errs124 = errors;
if(data30.task_budget !== null){
const err31 = {};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
var _valid15 = _errs124 === errors;
errors = _errs123;
if(vErrors !== null){
if(_errs123){
vErrors.length = _errs123;
}
else {
vErrors = null;
}
}
if(!_valid15){
var _valid15 = false;
validate20.errors = [{instancePath:instancePath+"/output_config/task_budget",schemaPath:"#/properties/output_config/else/properties/task_budget/else/false schema",keyword:"false schema",params:{}}];
return false;
valid32 = _valid15;
}
if(!valid32){
const err32 = {instancePath:instancePath+"/output_config/task_budget",schemaPath:"#/properties/output_config/else/properties/task_budget/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid30 = _errs122 === errors;
}
else {
var valid30 = true;
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/output_config",schemaPath:"#/properties/output_config/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid13 = _errs113 === errors;
valid29 = _valid13;
}
if(!valid29){
const err33 = {instancePath:instancePath+"/output_config",schemaPath:"#/properties/output_config/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs109 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stop_sequences !== undefined){
let data34 = data.stop_sequences;
const _errs126 = errors;
const _errs127 = errors;
let valid33 = true;
const _errs128 = errors;
if(data34 !== null){
const err34 = {};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
var _valid16 = _errs128 === errors;
errors = _errs127;
if(vErrors !== null){
if(_errs127){
vErrors.length = _errs127;
}
else {
vErrors = null;
}
}
if(!_valid16){
const _errs130 = errors;
if(errors === _errs130){
if(Array.isArray(data34)){
if(data34.length > 64){
validate20.errors = [{instancePath:instancePath+"/stop_sequences",schemaPath:"#/properties/stop_sequences/else/maxItems",keyword:"maxItems",params:{limit: 64}}];
return false;
}
else {
var valid34 = true;
const len3 = data34.length;
for(let i3=0; i3<len3; i3++){
let data35 = data34[i3];
const _errs132 = errors;
if(errors === _errs132){
if(typeof data35 === "string"){
if(data35.length < 1){
validate20.errors = [{instancePath:instancePath+"/stop_sequences/" + i3,schemaPath:"#/properties/stop_sequences/else/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/stop_sequences/" + i3,schemaPath:"#/properties/stop_sequences/else/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid34 = _errs132 === errors;
if(!valid34){
break;
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/stop_sequences",schemaPath:"#/properties/stop_sequences/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid16 = _errs130 === errors;
valid33 = _valid16;
}
if(!valid33){
const err35 = {instancePath:instancePath+"/stop_sequences",schemaPath:"#/properties/stop_sequences/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs126 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.temperature !== undefined){
let data36 = data.temperature;
const _errs134 = errors;
const _errs135 = errors;
let valid35 = true;
const _errs136 = errors;
if(data36 !== null){
const err36 = {};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
var _valid17 = _errs136 === errors;
errors = _errs135;
if(vErrors !== null){
if(_errs135){
vErrors.length = _errs135;
}
else {
vErrors = null;
}
}
if(!_valid17){
const _errs138 = errors;
if(errors === _errs138){
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 2 || isNaN(data36)){
validate20.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data36 < 0 || isNaN(data36)){
validate20.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid17 = _errs138 === errors;
valid35 = _valid17;
}
if(!valid35){
const err37 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs134 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_p !== undefined){
let data37 = data.top_p;
const _errs140 = errors;
const _errs141 = errors;
let valid36 = true;
const _errs142 = errors;
if(data37 !== null){
const err38 = {};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
var _valid18 = _errs142 === errors;
errors = _errs141;
if(vErrors !== null){
if(_errs141){
vErrors.length = _errs141;
}
else {
vErrors = null;
}
}
if(!_valid18){
const _errs144 = errors;
if(errors === _errs144){
if((typeof data37 == "number") && (isFinite(data37))){
if(data37 > 1 || isNaN(data37)){
validate20.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data37 <= 0 || isNaN(data37)){
validate20.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid18 = _errs144 === errors;
valid36 = _valid18;
}
if(!valid36){
const err39 = {instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs140 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_k !== undefined){
let data38 = data.top_k;
const _errs146 = errors;
const _errs147 = errors;
let valid37 = true;
const _errs148 = errors;
if(data38 !== null){
const err40 = {};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
var _valid19 = _errs148 === errors;
errors = _errs147;
if(vErrors !== null){
if(_errs147){
vErrors.length = _errs147;
}
else {
vErrors = null;
}
}
if(!_valid19){
const _errs150 = errors;
if(!(((typeof data38 == "number") && (!(data38 % 1) && !isNaN(data38))) && (isFinite(data38)))){
validate20.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs150){
if((typeof data38 == "number") && (isFinite(data38))){
if(data38 > 2147483647 || isNaN(data38)){
validate20.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data38 < 0 || isNaN(data38)){
validate20.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var _valid19 = _errs150 === errors;
valid37 = _valid19;
}
if(!valid37){
const err41 = {instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs146 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream !== undefined){
let data39 = data.stream;
const _errs152 = errors;
const _errs153 = errors;
let valid38 = true;
const _errs154 = errors;
if(data39 !== null){
const err42 = {};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
var _valid20 = _errs154 === errors;
errors = _errs153;
if(vErrors !== null){
if(_errs153){
vErrors.length = _errs153;
}
else {
vErrors = null;
}
}
if(!_valid20){
const _errs156 = errors;
if(typeof data39 !== "boolean"){
validate20.errors = [{instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid20 = _errs156 === errors;
valid38 = _valid20;
}
if(!valid38){
const err43 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs152 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thread !== undefined){
const _errs158 = errors;
var valid0 = _errs158 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.cache_control !== undefined){
const _errs160 = errors;
var valid0 = _errs160 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.context_management !== undefined){
const _errs162 = errors;
var valid0 = _errs162 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs164 = errors;
var valid0 = _errs164 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.service_tier !== undefined){
const _errs166 = errors;
var valid0 = _errs166 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.compaction !== undefined){
const _errs168 = errors;
const _errs169 = errors;
let valid39 = true;
const _errs170 = errors;
if(data.compaction !== null){
const err44 = {};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
var _valid21 = _errs170 === errors;
errors = _errs169;
if(vErrors !== null){
if(_errs169){
vErrors.length = _errs169;
}
else {
vErrors = null;
}
}
if(!_valid21){
var _valid21 = false;
validate20.errors = [{instancePath:instancePath+"/compaction",schemaPath:"#/properties/compaction/else/false schema",keyword:"false schema",params:{}}];
return false;
valid39 = _valid21;
}
if(!valid39){
const err45 = {instancePath:instancePath+"/compaction",schemaPath:"#/properties/compaction/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs168 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.container !== undefined){
const _errs172 = errors;
const _errs173 = errors;
let valid40 = true;
const _errs174 = errors;
if(data.container !== null){
const err46 = {};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
var _valid22 = _errs174 === errors;
errors = _errs173;
if(vErrors !== null){
if(_errs173){
vErrors.length = _errs173;
}
else {
vErrors = null;
}
}
if(!_valid22){
var _valid22 = false;
validate20.errors = [{instancePath:instancePath+"/container",schemaPath:"#/properties/container/else/false schema",keyword:"false schema",params:{}}];
return false;
valid40 = _valid22;
}
if(!valid40){
const err47 = {instancePath:instancePath+"/container",schemaPath:"#/properties/container/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs172 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fallbacks !== undefined){
const _errs176 = errors;
const _errs177 = errors;
let valid41 = true;
const _errs178 = errors;
if(data.fallbacks !== null){
const err48 = {};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
var _valid23 = _errs178 === errors;
errors = _errs177;
if(vErrors !== null){
if(_errs177){
vErrors.length = _errs177;
}
else {
vErrors = null;
}
}
if(!_valid23){
var _valid23 = false;
validate20.errors = [{instancePath:instancePath+"/fallbacks",schemaPath:"#/properties/fallbacks/else/false schema",keyword:"false schema",params:{}}];
return false;
valid41 = _valid23;
}
if(!valid41){
const err49 = {instancePath:instancePath+"/fallbacks",schemaPath:"#/properties/fallbacks/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs176 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inference_geo !== undefined){
const _errs180 = errors;
const _errs181 = errors;
let valid42 = true;
const _errs182 = errors;
if(data.inference_geo !== null){
const err50 = {};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
var _valid24 = _errs182 === errors;
errors = _errs181;
if(vErrors !== null){
if(_errs181){
vErrors.length = _errs181;
}
else {
vErrors = null;
}
}
if(!_valid24){
var _valid24 = false;
validate20.errors = [{instancePath:instancePath+"/inference_geo",schemaPath:"#/properties/inference_geo/else/false schema",keyword:"false schema",params:{}}];
return false;
valid42 = _valid24;
}
if(!valid42){
const err51 = {instancePath:instancePath+"/inference_geo",schemaPath:"#/properties/inference_geo/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs180 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mcp_servers !== undefined){
const _errs184 = errors;
const _errs185 = errors;
let valid43 = true;
const _errs186 = errors;
if(data.mcp_servers !== null){
const err52 = {};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
var _valid25 = _errs186 === errors;
errors = _errs185;
if(vErrors !== null){
if(_errs185){
vErrors.length = _errs185;
}
else {
vErrors = null;
}
}
if(!_valid25){
var _valid25 = false;
validate20.errors = [{instancePath:instancePath+"/mcp_servers",schemaPath:"#/properties/mcp_servers/else/false schema",keyword:"false schema",params:{}}];
return false;
valid43 = _valid25;
}
if(!valid43){
const err53 = {instancePath:instancePath+"/mcp_servers",schemaPath:"#/properties/mcp_servers/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs184 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.output_format !== undefined){
const _errs188 = errors;
const _errs189 = errors;
let valid44 = true;
const _errs190 = errors;
if(data.output_format !== null){
const err54 = {};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
var _valid26 = _errs190 === errors;
errors = _errs189;
if(vErrors !== null){
if(_errs189){
vErrors.length = _errs189;
}
else {
vErrors = null;
}
}
if(!_valid26){
var _valid26 = false;
validate20.errors = [{instancePath:instancePath+"/output_format",schemaPath:"#/properties/output_format/else/false schema",keyword:"false schema",params:{}}];
return false;
valid44 = _valid26;
}
if(!valid44){
const err55 = {instancePath:instancePath+"/output_format",schemaPath:"#/properties/output_format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs188 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.speed !== undefined){
const _errs192 = errors;
const _errs193 = errors;
let valid45 = true;
const _errs194 = errors;
if(data.speed !== null){
const err56 = {};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
var _valid27 = _errs194 === errors;
errors = _errs193;
if(vErrors !== null){
if(_errs193){
vErrors.length = _errs193;
}
else {
vErrors = null;
}
}
if(!_valid27){
var _valid27 = false;
validate20.errors = [{instancePath:instancePath+"/speed",schemaPath:"#/properties/speed/else/false schema",keyword:"false schema",params:{}}];
return false;
valid45 = _valid27;
}
if(!valid45){
const err57 = {instancePath:instancePath+"/speed",schemaPath:"#/properties/speed/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
validate20.errors = vErrors;
return false;
}
var valid0 = _errs192 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate20.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"model":true,"messages":true,"system":true,"tools":true,"tool_choice":true,"thinking":true,"output_config":true,"stop_sequences":true,"temperature":true,"top_p":true,"top_k":true,"stream":true,"thread":true,"cache_control":true,"context_management":true,"metadata":true,"service_tier":true,"compaction":true,"container":true,"fallbacks":true,"inference_geo":true,"mcp_servers":true,"output_format":true,"speed":true},"dynamicProps":false,"dynamicItems":false};


function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/count-tokens.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate19.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate20.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.max_tokens !== undefined){
const _errs1 = errors;
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const key0 in data){
if(((((((((((((((((((((((((key0 !== "max_tokens") && (key0 !== "model")) && (key0 !== "messages")) && (key0 !== "system")) && (key0 !== "tools")) && (key0 !== "tool_choice")) && (key0 !== "thinking")) && (key0 !== "output_config")) && (key0 !== "stop_sequences")) && (key0 !== "temperature")) && (key0 !== "top_p")) && (key0 !== "top_k")) && (key0 !== "stream")) && (key0 !== "thread")) && (key0 !== "cache_control")) && (key0 !== "context_management")) && (key0 !== "metadata")) && (key0 !== "service_tier")) && (key0 !== "compaction")) && (key0 !== "container")) && (key0 !== "fallbacks")) && (key0 !== "inference_geo")) && (key0 !== "mcp_servers")) && (key0 !== "output_format")) && (key0 !== "speed")){
validate19.errors = [{instancePath,schemaPath:"#/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key0}}];
return false;
break;
}
}
}
}
else {
validate19.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate19.errors = vErrors;
return errors === 0;
}
validate19.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const embeddings = validate28;
const schema28 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/embeddings.json","type":"object","required":["model","input"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"input":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"maxItems":2048,"items":{"type":"string"}},{"$ref":"#/$defs/tokens"},{"type":"array","minItems":1,"maxItems":2048,"items":{"$ref":"#/$defs/tokens"}}]},"encoding_format":{"if":{"type":"null"},"else":{"enum":["float","base64"]}},"dimensions":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":65536}},"truncate_prompt_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"$defs":{"tokens":{"type":"array","minItems":1,"items":{"type":"integer","minimum":0}}}};
const schema29 = {"type":"array","minItems":1,"items":{"type":"integer","minimum":0}};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/embeddings.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.model === undefined) && (missing0 = "model")) || ((data.input === undefined) && (missing0 = "input"))){
validate28.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "model") || (key0 === "input")) || (key0 === "encoding_format")) || (key0 === "dimensions")) || (key0 === "truncate_prompt_tokens")) || (key0 === "user"))){
validate28.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate28.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate28.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.input !== undefined){
let data1 = data.input;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(typeof data1 !== "string"){
const err0 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data1)){
if(data1.length > 2048){
const err1 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/1/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data1.length < 1){
const err2 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(typeof data1[i0] !== "string"){
const err3 = {instancePath:instancePath+"/input/" + i0,schemaPath:"#/properties/input/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var valid2 = _errs10 === errors;
if(!valid2){
break;
}
}
}
}
}
else {
const err4 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var items0 = true;
}
const _errs12 = errors;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data1)){
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/input",schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
var valid4 = true;
const len1 = data1.length;
for(let i1=0; i1<len1; i1++){
let data3 = data1[i1];
const _errs15 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err6 = {instancePath:instancePath+"/input/" + i1,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(errors === _errs15){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err7 = {instancePath:instancePath+"/input/" + i1,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
var valid4 = _errs15 === errors;
if(!valid4){
break;
}
}
}
}
else {
const err8 = {instancePath:instancePath+"/input",schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data1)){
if(data1.length > 2048){
const err9 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/3/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
if(data1.length < 1){
const err10 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/3/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
var valid5 = true;
const len2 = data1.length;
for(let i2=0; i2<len2; i2++){
let data4 = data1[i2];
const _errs19 = errors;
const _errs20 = errors;
if(errors === _errs20){
if(Array.isArray(data4)){
if(data4.length < 1){
const err11 = {instancePath:instancePath+"/input/" + i2,schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
var valid7 = true;
const len3 = data4.length;
for(let i3=0; i3<len3; i3++){
let data5 = data4[i3];
const _errs22 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err12 = {instancePath:instancePath+"/input/" + i2+"/" + i3,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(errors === _errs22){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err13 = {instancePath:instancePath+"/input/" + i2+"/" + i3,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
var valid7 = _errs22 === errors;
if(!valid7){
break;
}
}
}
}
else {
const err14 = {instancePath:instancePath+"/input/" + i2,schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
var valid5 = _errs19 === errors;
if(!valid5){
break;
}
}
}
}
}
else {
const err15 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf/3/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
var _valid0 = _errs17 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
if(!valid1){
const err16 = {instancePath:instancePath+"/input",schemaPath:"#/properties/input/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate28.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.encoding_format !== undefined){
let data6 = data.encoding_format;
const _errs24 = errors;
const _errs25 = errors;
let valid8 = true;
const _errs26 = errors;
if(data6 !== null){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid1 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs28 = errors;
if(!((data6 === "float") || (data6 === "base64"))){
validate28.errors = [{instancePath:instancePath+"/encoding_format",schemaPath:"#/properties/encoding_format/else/enum",keyword:"enum",params:{allowedValues: schema28.properties.encoding_format.else.enum}}];
return false;
}
var _valid1 = _errs28 === errors;
valid8 = _valid1;
}
if(!valid8){
const err18 = {instancePath:instancePath+"/encoding_format",schemaPath:"#/properties/encoding_format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
validate28.errors = vErrors;
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dimensions !== undefined){
let data7 = data.dimensions;
const _errs29 = errors;
const _errs30 = errors;
let valid9 = true;
const _errs31 = errors;
if(data7 !== null){
const err19 = {};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var _valid2 = _errs31 === errors;
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs33 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate28.errors = [{instancePath:instancePath+"/dimensions",schemaPath:"#/properties/dimensions/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs33){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 65536 || isNaN(data7)){
validate28.errors = [{instancePath:instancePath+"/dimensions",schemaPath:"#/properties/dimensions/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65536}}];
return false;
}
else {
if(data7 < 1 || isNaN(data7)){
validate28.errors = [{instancePath:instancePath+"/dimensions",schemaPath:"#/properties/dimensions/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid2 = _errs33 === errors;
valid9 = _valid2;
}
if(!valid9){
const err20 = {instancePath:instancePath+"/dimensions",schemaPath:"#/properties/dimensions/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
validate28.errors = vErrors;
return false;
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.truncate_prompt_tokens !== undefined){
let data8 = data.truncate_prompt_tokens;
const _errs35 = errors;
const _errs36 = errors;
let valid10 = true;
const _errs37 = errors;
if(data8 !== null){
const err21 = {};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var _valid3 = _errs37 === errors;
errors = _errs36;
if(vErrors !== null){
if(_errs36){
vErrors.length = _errs36;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs39 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate28.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs39){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 2147483647 || isNaN(data8)){
validate28.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data8 < -1 || isNaN(data8)){
validate28.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid3 = _errs39 === errors;
valid10 = _valid3;
}
if(!valid10){
const err22 = {instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
validate28.errors = vErrors;
return false;
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs41 = errors;
var valid0 = _errs41 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate28.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const file_upload = validate29;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/file-upload.json","type":"object","required":["file","purpose"],"additionalProperties":false,"properties":{"file":{"type":"string","contentMediaType":"image/*"},"purpose":{"enum":["vision","user_data","assistants"]},"expires_after[anchor]":{"if":{"type":"null"},"else":{"const":"created_at"}},"expires_after[seconds]":{"if":{"type":"null"},"else":{"type":"string","pattern":"^[0-9]{4,7}$"}}}};
const pattern3 = new RegExp("^[0-9]{4,7}$", "u");

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/file-upload.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.file === undefined) && (missing0 = "file")) || ((data.purpose === undefined) && (missing0 = "purpose"))){
validate29.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "file") || (key0 === "purpose")) || (key0 === "expires_after[anchor]")) || (key0 === "expires_after[seconds]"))){
validate29.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.file !== undefined){
const _errs2 = errors;
if(typeof data.file !== "string"){
validate29.errors = [{instancePath:instancePath+"/file",schemaPath:"#/properties/file/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.purpose !== undefined){
let data1 = data.purpose;
const _errs4 = errors;
if(!(((data1 === "vision") || (data1 === "user_data")) || (data1 === "assistants"))){
validate29.errors = [{instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/enum",keyword:"enum",params:{allowedValues: schema31.properties.purpose.enum}}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data["expires_after[anchor]"] !== undefined){
let data2 = data["expires_after[anchor]"];
const _errs5 = errors;
const _errs6 = errors;
let valid1 = true;
const _errs7 = errors;
if(data2 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs7 === errors;
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs9 = errors;
if("created_at" !== data2){
validate29.errors = [{instancePath:instancePath+"/expires_after[anchor]",schemaPath:"#/properties/expires_after%5Banchor%5D/else/const",keyword:"const",params:{allowedValue: "created_at"}}];
return false;
}
var _valid0 = _errs9 === errors;
valid1 = _valid0;
}
if(!valid1){
const err1 = {instancePath:instancePath+"/expires_after[anchor]",schemaPath:"#/properties/expires_after%5Banchor%5D/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate29.errors = vErrors;
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data["expires_after[seconds]"] !== undefined){
let data3 = data["expires_after[seconds]"];
const _errs10 = errors;
const _errs11 = errors;
let valid2 = true;
const _errs12 = errors;
if(data3 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs14 = errors;
if(errors === _errs14){
if(typeof data3 === "string"){
if(!pattern3.test(data3)){
validate29.errors = [{instancePath:instancePath+"/expires_after[seconds]",schemaPath:"#/properties/expires_after%5Bseconds%5D/else/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4,7}$"}}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/expires_after[seconds]",schemaPath:"#/properties/expires_after%5Bseconds%5D/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid1 = _errs14 === errors;
valid2 = _valid1;
}
if(!valid2){
const err3 = {instancePath:instancePath+"/expires_after[seconds]",schemaPath:"#/properties/expires_after%5Bseconds%5D/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate29.errors = vErrors;
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate29.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const messages = validate30;
const schema32 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/messages.json","type":"object","required":["max_tokens"],"properties":{"max_tokens":{"type":"integer","minimum":1,"maximum":2147483647}},"$ref":"../shared/messages-request.json","unevaluatedProperties":false};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/messages.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate20.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate20.errors : vErrors.concat(validate20.errors);
errors = vErrors.length;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.max_tokens === undefined) && (missing0 = "max_tokens")){
validate30.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.max_tokens !== undefined){
let data0 = data.max_tokens;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate30.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 2147483647 || isNaN(data0)){
validate30.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate30.errors = [{instancePath:instancePath+"/max_tokens",schemaPath:"#/properties/max_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
for(const key0 in data){
if(((((((((((((((((((((((((key0 !== "max_tokens") && (key0 !== "model")) && (key0 !== "messages")) && (key0 !== "system")) && (key0 !== "tools")) && (key0 !== "tool_choice")) && (key0 !== "thinking")) && (key0 !== "output_config")) && (key0 !== "stop_sequences")) && (key0 !== "temperature")) && (key0 !== "top_p")) && (key0 !== "top_k")) && (key0 !== "stream")) && (key0 !== "thread")) && (key0 !== "cache_control")) && (key0 !== "context_management")) && (key0 !== "metadata")) && (key0 !== "service_tier")) && (key0 !== "compaction")) && (key0 !== "container")) && (key0 !== "fallbacks")) && (key0 !== "inference_geo")) && (key0 !== "mcp_servers")) && (key0 !== "output_format")) && (key0 !== "speed")){
validate30.errors = [{instancePath,schemaPath:"#/unevaluatedProperties",keyword:"unevaluatedProperties",params:{unevaluatedProperty: key0}}];
return false;
break;
}
}
}
}
}
else {
validate30.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const rerank = validate32;
const schema33 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/rerank.json","type":"object","required":["model","query","documents"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"query":{"type":"string","minLength":1},"documents":{"type":"array","minItems":1,"maxItems":2048,"items":{"type":"string"}},"top_n":{"if":{"type":"null"},"else":{"type":"integer","minimum":0,"maximum":2048}},"return_documents":{"if":{"type":"null"},"else":{"type":"boolean"}},"max_tokens_per_doc":{"if":{"type":"null"},"else":{"type":"integer","minimum":0,"maximum":2147483647}},"truncate_prompt_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}}}};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/rerank.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.model === undefined) && (missing0 = "model")) || ((data.query === undefined) && (missing0 = "query"))) || ((data.documents === undefined) && (missing0 = "documents"))){
validate32.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "model") || (key0 === "query")) || (key0 === "documents")) || (key0 === "top_n")) || (key0 === "return_documents")) || (key0 === "max_tokens_per_doc")) || (key0 === "truncate_prompt_tokens")) || (key0 === "user"))){
validate32.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate32.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate32.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.query !== undefined){
let data1 = data.query;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
validate32.errors = [{instancePath:instancePath+"/query",schemaPath:"#/properties/query/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate32.errors = [{instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.documents !== undefined){
let data2 = data.documents;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
if(data2.length > 2048){
validate32.errors = [{instancePath:instancePath+"/documents",schemaPath:"#/properties/documents/maxItems",keyword:"maxItems",params:{limit: 2048}}];
return false;
}
else {
if(data2.length < 1){
validate32.errors = [{instancePath:instancePath+"/documents",schemaPath:"#/properties/documents/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(typeof data2[i0] !== "string"){
validate32.errors = [{instancePath:instancePath+"/documents/" + i0,schemaPath:"#/properties/documents/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate32.errors = [{instancePath:instancePath+"/documents",schemaPath:"#/properties/documents/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_n !== undefined){
let data4 = data.top_n;
const _errs10 = errors;
const _errs11 = errors;
let valid2 = true;
const _errs12 = errors;
if(data4 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs14 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate32.errors = [{instancePath:instancePath+"/top_n",schemaPath:"#/properties/top_n/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs14){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 2048 || isNaN(data4)){
validate32.errors = [{instancePath:instancePath+"/top_n",schemaPath:"#/properties/top_n/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2048}}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate32.errors = [{instancePath:instancePath+"/top_n",schemaPath:"#/properties/top_n/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var _valid0 = _errs14 === errors;
valid2 = _valid0;
}
if(!valid2){
const err1 = {instancePath:instancePath+"/top_n",schemaPath:"#/properties/top_n/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate32.errors = vErrors;
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.return_documents !== undefined){
let data5 = data.return_documents;
const _errs16 = errors;
const _errs17 = errors;
let valid3 = true;
const _errs18 = errors;
if(data5 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs18 === errors;
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs20 = errors;
if(typeof data5 !== "boolean"){
validate32.errors = [{instancePath:instancePath+"/return_documents",schemaPath:"#/properties/return_documents/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid1 = _errs20 === errors;
valid3 = _valid1;
}
if(!valid3){
const err3 = {instancePath:instancePath+"/return_documents",schemaPath:"#/properties/return_documents/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate32.errors = vErrors;
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_tokens_per_doc !== undefined){
let data6 = data.max_tokens_per_doc;
const _errs22 = errors;
const _errs23 = errors;
let valid4 = true;
const _errs24 = errors;
if(data6 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs24 === errors;
errors = _errs23;
if(vErrors !== null){
if(_errs23){
vErrors.length = _errs23;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs26 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate32.errors = [{instancePath:instancePath+"/max_tokens_per_doc",schemaPath:"#/properties/max_tokens_per_doc/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs26){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 2147483647 || isNaN(data6)){
validate32.errors = [{instancePath:instancePath+"/max_tokens_per_doc",schemaPath:"#/properties/max_tokens_per_doc/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate32.errors = [{instancePath:instancePath+"/max_tokens_per_doc",schemaPath:"#/properties/max_tokens_per_doc/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var _valid2 = _errs26 === errors;
valid4 = _valid2;
}
if(!valid4){
const err5 = {instancePath:instancePath+"/max_tokens_per_doc",schemaPath:"#/properties/max_tokens_per_doc/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate32.errors = vErrors;
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.truncate_prompt_tokens !== undefined){
let data7 = data.truncate_prompt_tokens;
const _errs28 = errors;
const _errs29 = errors;
let valid5 = true;
const _errs30 = errors;
if(data7 !== null){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid3 = _errs30 === errors;
errors = _errs29;
if(vErrors !== null){
if(_errs29){
vErrors.length = _errs29;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs32 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate32.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs32){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 2147483647 || isNaN(data7)){
validate32.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data7 < -1 || isNaN(data7)){
validate32.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid3 = _errs32 === errors;
valid5 = _valid3;
}
if(!valid5){
const err7 = {instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate32.errors = vErrors;
return false;
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs34 = errors;
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate32.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const responses = validate33;
const schema34 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/responses.json","type":"object","required":["model","input"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"input":{"type":["string","array"],"minItems":1,"maxItems":10000,"items":{"$ref":"#/$defs/item"}},"instructions":{"if":{"type":"null"},"else":{"type":"string"}},"stream":{"if":{"type":"null"},"else":{"type":"boolean"}},"stream_options":{"if":{"type":"null"},"else":{"x-no-effect":true,"type":"object","x-ignore-others":[]}},"max_output_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":2147483647}},"temperature":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":2}},"top_p":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":1}},"seed":{"if":{"type":"null"},"else":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"tools":{"if":{"type":"null"},"else":{"type":"array","maxItems":1024,"items":{"$ref":"#/$defs/tool"}}},"tool_choice":{"if":{"type":"null"},"else":{"type":["string","object"],"if":{"type":"string"},"then":{"enum":["auto","none","required"]},"else":{"type":"object","required":["type","name"],"properties":{"type":{"const":"function"},"name":{"type":"string"}},"additionalProperties":false}}},"parallel_tool_calls":{"if":{"type":"null"},"else":{"type":"boolean"}},"reasoning":{"if":{"type":"null"},"else":{"type":"object","properties":{"effort":{"if":{"type":"null"},"else":{}},"summary":{"if":{"type":"null"},"else":{"x-no-effect":true}},"generate_summary":{"if":{"type":"null"},"else":{"x-no-effect":true}},"context":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false}},"text":{"if":{"type":"null"},"else":{"type":"object","properties":{"format":{"if":{"type":"null"},"else":{"$ref":"#/$defs/format"}},"verbosity":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false}},"previous_response_id":{"if":{"type":"null"},"else":{}},"background":{"if":{"type":"null"},"else":{"x-no-effect":true}},"client_metadata":{"if":{"type":"null"},"else":{"x-no-effect":true}},"include":{"if":{"type":"null"},"else":{"x-no-effect":true}},"metadata":{"if":{"type":"null"},"else":{}},"prompt_cache_key":{"if":{"type":"null"},"else":{}},"prompt_cache_options":{"if":{"type":"null"},"else":{"x-no-effect":true}},"prompt_cache_retention":{"if":{"type":"null"},"else":{"x-no-effect":true}},"safety_identifier":{"if":{"type":"null"},"else":{}},"service_tier":{"if":{"type":"null"},"else":{"x-no-effect":true}},"store":{"if":{"type":"null"},"else":{"x-no-effect":true}},"truncation":{"if":{"type":"null"},"else":{}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}},"context_management":{"if":{"type":"null"},"else":false},"conversation":{"if":{"type":"null"},"else":false},"max_tool_calls":{"if":{"type":"null"},"else":false},"moderation":{"if":{"type":"null"},"else":false},"prompt":{"if":{"type":"null"},"else":false},"top_logprobs":{"if":{"type":"null"},"else":false}},"$defs":{"item":{"allOf":[{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"message"}}},"then":{"type":"object","required":["role","content"],"properties":{"role":{"enum":["user","assistant","system","developer"]},"content":{"type":["string","array"],"maxItems":10000,"items":{"$ref":"#/$defs/part"}}},"x-ignore-others":["type","id","status"]}},{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"function_call"}}},"then":{"type":"object","required":["call_id","name","arguments"],"properties":{"call_id":{"type":"string","minLength":1},"name":{"type":"string","minLength":1},"namespace":{"if":{"type":"null"},"else":{"type":"string"}},"arguments":{"type":"string"}},"x-ignore-others":["type","id","status"]}},{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"function_call_output"}}},"then":{"type":"object","required":["output"],"properties":{"call_id":{"if":{"type":"null"},"else":{"type":"string"}},"output":{"type":["string","array","null"],"maxItems":10000,"items":{"$ref":"#/$defs/part"}}},"x-ignore-others":["type","id","status"]}},{"$ref":"#/$defs/untypedItem"}]},"part":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"enum":["input_text","output_text"]}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}}}},{"if":{"required":["type"],"properties":{"type":{"const":"refusal"}}},"then":{"required":["refusal"],"properties":{"refusal":{"type":"string"}}}},{"$ref":"#/$defs/partMembers"}]},"partMembers":{"allOf":[{"if":{"type":"object","required":["type"],"properties":{"type":{"enum":["input_text","output_text"]}}},"then":{"type":"object","x-ignore-others":["type","text","annotations","logprobs"]}},{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"refusal"}}},"then":{"type":"object","x-ignore-others":["type","refusal"]}}]},"untypedItem":{"if":{"type":"object","required":["role"],"properties":{"type":{"enum":[null]},"role":true}},"then":{"type":"object","properties":{"content":{"if":{"type":"null"},"else":{"if":{"type":"array"},"then":{"type":"array","maxItems":10000,"items":{"$ref":"#/$defs/partMembers"}}}}},"x-ignore-others":["type","id","status","role"]}},"tool":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"function"}}},"then":{"$ref":"#/$defs/function"}},{"if":{"required":["type"],"properties":{"type":{"const":"namespace"}}},"then":{"required":["name","tools"],"properties":{"type":true,"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"x-no-effect":true}},"tools":{"type":"array","maxItems":1024,"items":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"if":{"required":["type"],"properties":{"type":{"const":"function"}}},"then":{"$ref":"#/$defs/function"}}}},"additionalProperties":false}},{"if":{"required":["type"],"properties":{"type":{"const":"web_search"}}},"then":{"x-ignore-others":["type"]}}]},"function":{"type":"object","required":["name"],"properties":{"type":true,"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"type":"string"}},"parameters":true,"strict":{"if":{"type":"null"},"else":{"type":"boolean"}},"allowed_callers":{"if":{"type":"null"},"else":{"x-no-effect":true}},"defer_loading":{"if":{"type":"null"},"else":{"x-no-effect":true}},"output_schema":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false},"format":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"enum":["text","json_object"]}}},"then":{"properties":{"type":true},"additionalProperties":false}},{"if":{"required":["type"],"properties":{"type":{"const":"json_schema"}}},"then":{"required":["name"],"properties":{"type":true,"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"type":"string"}},"schema":{"if":{"type":"null"},"else":{"type":"object"}},"strict":{"if":{"type":"null"},"else":{"type":"boolean"}}},"additionalProperties":false}}]}}};
const schema43 = {"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"enum":["text","json_object"]}}},"then":{"properties":{"type":true},"additionalProperties":false}},{"if":{"required":["type"],"properties":{"type":{"const":"json_schema"}}},"then":{"required":["name"],"properties":{"type":true,"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"type":"string"}},"schema":{"if":{"type":"null"},"else":{"type":"object"}},"strict":{"if":{"type":"null"},"else":{"type":"boolean"}}},"additionalProperties":false}}]};
const schema35 = {"allOf":[{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"message"}}},"then":{"type":"object","required":["role","content"],"properties":{"role":{"enum":["user","assistant","system","developer"]},"content":{"type":["string","array"],"maxItems":10000,"items":{"$ref":"#/$defs/part"}}},"x-ignore-others":["type","id","status"]}},{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"function_call"}}},"then":{"type":"object","required":["call_id","name","arguments"],"properties":{"call_id":{"type":"string","minLength":1},"name":{"type":"string","minLength":1},"namespace":{"if":{"type":"null"},"else":{"type":"string"}},"arguments":{"type":"string"}},"x-ignore-others":["type","id","status"]}},{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"function_call_output"}}},"then":{"type":"object","required":["output"],"properties":{"call_id":{"if":{"type":"null"},"else":{"type":"string"}},"output":{"type":["string","array","null"],"maxItems":10000,"items":{"$ref":"#/$defs/part"}}},"x-ignore-others":["type","id","status"]}},{"$ref":"#/$defs/untypedItem"}]};
const schema36 = {"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"enum":["input_text","output_text"]}}},"then":{"required":["text"],"properties":{"text":{"type":"string"}}}},{"if":{"required":["type"],"properties":{"type":{"const":"refusal"}}},"then":{"required":["refusal"],"properties":{"refusal":{"type":"string"}}}},{"$ref":"#/$defs/partMembers"}]};
const schema37 = {"allOf":[{"if":{"type":"object","required":["type"],"properties":{"type":{"enum":["input_text","output_text"]}}},"then":{"type":"object","x-ignore-others":["type","text","annotations","logprobs"]}},{"if":{"type":"object","required":["type"],"properties":{"type":{"const":"refusal"}}},"then":{"type":"object","x-ignore-others":["type","refusal"]}}]};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
const _errs2 = errors;
let valid1 = true;
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.type !== undefined){
let data0 = data.type;
if(!((data0 === "input_text") || (data0 === "output_text"))){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
var _valid0 = _errs3 === errors;
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.text === undefined) && (missing1 = "text")){
validate35.errors = [{instancePath,schemaPath:"#/allOf/0/then/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
if(data.text !== undefined){
if(typeof data.text !== "string"){
validate35.errors = [{instancePath:instancePath+"/text",schemaPath:"#/allOf/0/then/properties/text/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
var _valid0 = _errs5 === errors;
valid1 = _valid0;
if(valid1){
var props0 = {};
props0.text = true;
props0.type = true;
}
}
if(!valid1){
const err2 = {instancePath,schemaPath:"#/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate35.errors = vErrors;
return false;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs8 = errors;
const _errs9 = errors;
let valid4 = true;
const _errs10 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.type === undefined) && (missing2 = "type")){
const err3 = {};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
if(data.type !== undefined){
if("refusal" !== data.type){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
}
var _valid1 = _errs10 === errors;
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs12 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if((data.refusal === undefined) && (missing3 = "refusal")){
validate35.errors = [{instancePath,schemaPath:"#/allOf/1/then/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
if(data.refusal !== undefined){
if(typeof data.refusal !== "string"){
validate35.errors = [{instancePath:instancePath+"/refusal",schemaPath:"#/allOf/1/then/properties/refusal/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
var _valid1 = _errs12 === errors;
valid4 = _valid1;
if(valid4){
var props1 = {};
props1.refusal = true;
props1.type = true;
}
}
if(!valid4){
const err5 = {instancePath,schemaPath:"#/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate35.errors = vErrors;
return false;
}
var valid0 = _errs8 === errors;
if(valid0){
if(props0 !== true && props1 !== undefined){
if(props1 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props1);
}
}
const _errs15 = errors;
const _errs17 = errors;
const _errs18 = errors;
let valid9 = true;
const _errs19 = errors;
if(errors === _errs19){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing4;
if((data.type === undefined) && (missing4 = "type")){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
else {
if(data.type !== undefined){
let data4 = data.type;
if(!((data4 === "input_text") || (data4 === "output_text"))){
const err7 = {};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
else {
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid2 = _errs19 === errors;
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs22 = errors;
if(errors === _errs22){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const name0 in data){
if(!(name0 === "logprobs" || name0 === "annotations" || name0 === "text" || name0 === "type" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/$defs/partMembers/allOf/0/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid2 = _errs22 === errors;
valid9 = _valid2;
}
if(!valid9){
const err9 = {instancePath,schemaPath:"#/$defs/partMembers/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate35.errors = vErrors;
return false;
}
var valid8 = _errs17 === errors;
if(valid8){
const _errs24 = errors;
const _errs25 = errors;
let valid11 = true;
const _errs26 = errors;
if(errors === _errs26){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing5;
if((data.type === undefined) && (missing5 = "type")){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
if(data.type !== undefined){
if("refusal" !== data.type){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
else {
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var _valid3 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs29 = errors;
if(errors === _errs29){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const name1 in data){
if(!(name1 === "refusal" || name1 === "type" || data[name1] === null)){
this.add(instancePath, name1);
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/$defs/partMembers/allOf/1/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid3 = _errs29 === errors;
valid11 = _valid3;
}
if(!valid11){
const err13 = {instancePath,schemaPath:"#/$defs/partMembers/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate35.errors = vErrors;
return false;
}
var valid8 = _errs24 === errors;
}
var valid0 = _errs15 === errors;
if(valid0){
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
}
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing6;
if((data.type === undefined) && (missing6 = "type")){
validate35.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
validate35.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate35.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate35.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema38 = {"if":{"type":"object","required":["role"],"properties":{"type":{"enum":[null]},"role":true}},"then":{"type":"object","properties":{"content":{"if":{"type":"null"},"else":{"if":{"type":"array"},"then":{"type":"array","maxItems":10000,"items":{"$ref":"#/$defs/partMembers"}}}}},"x-ignore-others":["type","id","status","role"]}};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(errors === _errs1){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.role === undefined) && (missing0 = "role")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.type !== undefined){
if(!(data.type === null)){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
else {
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs4 = errors;
if(errors === _errs4){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.content !== undefined){
let data1 = data.content;
const _errs6 = errors;
const _errs7 = errors;
let valid3 = true;
const _errs8 = errors;
if(data1 !== null){
const err3 = {};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var _valid1 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs10 = errors;
const _errs11 = errors;
let valid4 = true;
const _errs12 = errors;
if(!(Array.isArray(data1))){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs14 = errors;
if(errors === _errs14){
if(Array.isArray(data1)){
if(data1.length > 10000){
validate38.errors = [{instancePath:instancePath+"/content",schemaPath:"#/then/properties/content/else/then/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
var valid5 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs16 = errors;
const _errs18 = errors;
const _errs19 = errors;
let valid8 = true;
const _errs20 = errors;
if(errors === _errs20){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if((data2.type === undefined) && (missing1 = "type")){
const err5 = {};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
if(data2.type !== undefined){
let data3 = data2.type;
if(!((data3 === "input_text") || (data3 === "output_text"))){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
else {
const err7 = {};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
var _valid3 = _errs20 === errors;
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs23 = errors;
if(errors === _errs23){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const name0 in data2){
if(!(name0 === "logprobs" || name0 === "annotations" || name0 === "text" || name0 === "type" || data2[name0] === null)){
this.add(instancePath+"/content/" + i0, name0);
}
}
}
else {
validate38.errors = [{instancePath:instancePath+"/content/" + i0,schemaPath:"#/$defs/partMembers/allOf/0/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid3 = _errs23 === errors;
valid8 = _valid3;
}
if(!valid8){
const err8 = {instancePath:instancePath+"/content/" + i0,schemaPath:"#/$defs/partMembers/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
validate38.errors = vErrors;
return false;
}
var valid7 = _errs18 === errors;
if(valid7){
const _errs25 = errors;
const _errs26 = errors;
let valid10 = true;
const _errs27 = errors;
if(errors === _errs27){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing2;
if((data2.type === undefined) && (missing2 = "type")){
const err9 = {};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
if(data2.type !== undefined){
if("refusal" !== data2.type){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
else {
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
var _valid4 = _errs27 === errors;
errors = _errs26;
if(vErrors !== null){
if(_errs26){
vErrors.length = _errs26;
}
else {
vErrors = null;
}
}
if(_valid4){
const _errs30 = errors;
if(errors === _errs30){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const name1 in data2){
if(!(name1 === "refusal" || name1 === "type" || data2[name1] === null)){
this.add(instancePath+"/content/" + i0, name1);
}
}
}
else {
validate38.errors = [{instancePath:instancePath+"/content/" + i0,schemaPath:"#/$defs/partMembers/allOf/1/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid4 = _errs30 === errors;
valid10 = _valid4;
}
if(!valid10){
const err12 = {instancePath:instancePath+"/content/" + i0,schemaPath:"#/$defs/partMembers/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
validate38.errors = vErrors;
return false;
}
var valid7 = _errs25 === errors;
}
var valid5 = _errs16 === errors;
if(!valid5){
break;
}
}
}
}
else {
validate38.errors = [{instancePath:instancePath+"/content",schemaPath:"#/then/properties/content/else/then/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid2 = _errs14 === errors;
valid4 = _valid2;
}
if(!valid4){
const err13 = {instancePath:instancePath+"/content",schemaPath:"#/then/properties/content/else/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate38.errors = vErrors;
return false;
}
var _valid1 = _errs10 === errors;
valid3 = _valid1;
}
if(!valid3){
const err14 = {instancePath:instancePath+"/content",schemaPath:"#/then/properties/content/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate38.errors = vErrors;
return false;
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
if(valid2){
for(const name2 in data){
if(!(name2 === "role" || name2 === "status" || name2 === "id" || name2 === "type" || name2 === "content" || data[name2] === null)){
this.add(instancePath, name2);
}
}
}
}
else {
validate38.errors = [{instancePath,schemaPath:"#/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
var props0 = {};
props0.content = true;
props0.type = true;
props0.role = true;
}
}
if(!valid0){
const err15 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate38.errors = vErrors;
return false;
}
validate38.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate38.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
const _errs1 = errors;
let valid1 = true;
const _errs2 = errors;
if(errors === _errs2){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.type !== undefined){
if("message" !== data.type){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
else {
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs5 = errors;
if(errors === _errs5){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.role === undefined) && (missing1 = "role")) || ((data.content === undefined) && (missing1 = "content"))){
validate34.errors = [{instancePath,schemaPath:"#/allOf/0/then/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
if(data.role !== undefined){
let data1 = data.role;
const _errs7 = errors;
if(!((((data1 === "user") || (data1 === "assistant")) || (data1 === "system")) || (data1 === "developer"))){
validate34.errors = [{instancePath:instancePath+"/role",schemaPath:"#/allOf/0/then/properties/role/enum",keyword:"enum",params:{allowedValues: schema35.allOf[0].then.properties.role.enum}}];
return false;
}
var valid3 = _errs7 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data.content !== undefined){
let data2 = data.content;
const _errs8 = errors;
if((typeof data2 !== "string") && (!(Array.isArray(data2)))){
validate34.errors = [{instancePath:instancePath+"/content",schemaPath:"#/allOf/0/then/properties/content/type",keyword:"type",params:{type: schema35.allOf[0].then.properties.content.type}}];
return false;
}
if(errors === _errs8){
if(Array.isArray(data2)){
if(data2.length > 10000){
validate34.errors = [{instancePath:instancePath+"/content",schemaPath:"#/allOf/0/then/properties/content/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
var valid4 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(!(validate35.call(this, data2[i0], {instancePath:instancePath+"/content/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
errors = vErrors.length;
}
var valid4 = _errs10 === errors;
if(!valid4){
break;
}
}
}
}
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
for(const name0 in data){
if(!(name0 === "status" || name0 === "id" || name0 === "type" || name0 === "content" || name0 === "role" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/allOf/0/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid0 = _errs5 === errors;
valid1 = _valid0;
if(valid1){
var props1 = {};
props1.role = true;
props1.content = true;
props1.type = true;
}
}
if(!valid1){
const err3 = {instancePath,schemaPath:"#/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate34.errors = vErrors;
return false;
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs11 = errors;
const _errs12 = errors;
let valid5 = true;
const _errs13 = errors;
if(errors === _errs13){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.type === undefined) && (missing2 = "type")){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
if(data.type !== undefined){
if("function_call" !== data.type){
const err5 = {};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
}
else {
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var _valid1 = _errs13 === errors;
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs16 = errors;
if(errors === _errs16){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if((((data.call_id === undefined) && (missing3 = "call_id")) || ((data.name === undefined) && (missing3 = "name"))) || ((data.arguments === undefined) && (missing3 = "arguments"))){
validate34.errors = [{instancePath,schemaPath:"#/allOf/1/then/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
if(data.call_id !== undefined){
let data5 = data.call_id;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data5 === "string"){
if(data5.length < 1){
validate34.errors = [{instancePath:instancePath+"/call_id",schemaPath:"#/allOf/1/then/properties/call_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/call_id",schemaPath:"#/allOf/1/then/properties/call_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs18 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data.name !== undefined){
let data6 = data.name;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data6 === "string"){
if(data6.length < 1){
validate34.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate34.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs20 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data.namespace !== undefined){
let data7 = data.namespace;
const _errs22 = errors;
const _errs23 = errors;
let valid8 = true;
const _errs24 = errors;
if(data7 !== null){
const err7 = {};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid2 = _errs24 === errors;
errors = _errs23;
if(vErrors !== null){
if(_errs23){
vErrors.length = _errs23;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs26 = errors;
if(typeof data7 !== "string"){
validate34.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/allOf/1/then/properties/namespace/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid2 = _errs26 === errors;
valid8 = _valid2;
}
if(!valid8){
const err8 = {instancePath:instancePath+"/namespace",schemaPath:"#/allOf/1/then/properties/namespace/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
validate34.errors = vErrors;
return false;
}
var valid7 = _errs22 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data.arguments !== undefined){
const _errs28 = errors;
if(typeof data.arguments !== "string"){
validate34.errors = [{instancePath:instancePath+"/arguments",schemaPath:"#/allOf/1/then/properties/arguments/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid7 = _errs28 === errors;
}
else {
var valid7 = true;
}
if(valid7){
for(const name1 in data){
if(!(name1 === "status" || name1 === "id" || name1 === "type" || name1 === "arguments" || name1 === "namespace" || name1 === "name" || name1 === "call_id" || data[name1] === null)){
this.add(instancePath, name1);
}
}
}
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/allOf/1/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid1 = _errs16 === errors;
valid5 = _valid1;
if(valid5){
var props2 = {};
props2.call_id = true;
props2.name = true;
props2.namespace = true;
props2.arguments = true;
props2.type = true;
}
}
if(!valid5){
const err9 = {instancePath,schemaPath:"#/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate34.errors = vErrors;
return false;
}
var valid0 = _errs11 === errors;
if(valid0){
if(props1 !== true && props2 !== undefined){
if(props2 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props2);
}
}
const _errs30 = errors;
const _errs31 = errors;
let valid9 = true;
const _errs32 = errors;
if(errors === _errs32){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing4;
if((data.type === undefined) && (missing4 = "type")){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
if(data.type !== undefined){
if("function_call_output" !== data.type){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
else {
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var _valid3 = _errs32 === errors;
errors = _errs31;
if(vErrors !== null){
if(_errs31){
vErrors.length = _errs31;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs35 = errors;
if(errors === _errs35){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing5;
if((data.output === undefined) && (missing5 = "output")){
validate34.errors = [{instancePath,schemaPath:"#/allOf/2/then/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
if(data.call_id !== undefined){
let data10 = data.call_id;
const _errs37 = errors;
const _errs38 = errors;
let valid12 = true;
const _errs39 = errors;
if(data10 !== null){
const err13 = {};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
var _valid4 = _errs39 === errors;
errors = _errs38;
if(vErrors !== null){
if(_errs38){
vErrors.length = _errs38;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs41 = errors;
if(typeof data10 !== "string"){
validate34.errors = [{instancePath:instancePath+"/call_id",schemaPath:"#/allOf/2/then/properties/call_id/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid4 = _errs41 === errors;
valid12 = _valid4;
}
if(!valid12){
const err14 = {instancePath:instancePath+"/call_id",schemaPath:"#/allOf/2/then/properties/call_id/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate34.errors = vErrors;
return false;
}
var valid11 = _errs37 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data.output !== undefined){
let data11 = data.output;
const _errs43 = errors;
if(((typeof data11 !== "string") && (!(Array.isArray(data11)))) && (data11 !== null)){
validate34.errors = [{instancePath:instancePath+"/output",schemaPath:"#/allOf/2/then/properties/output/type",keyword:"type",params:{type: schema35.allOf[2].then.properties.output.type}}];
return false;
}
if(errors === _errs43){
if(Array.isArray(data11)){
if(data11.length > 10000){
validate34.errors = [{instancePath:instancePath+"/output",schemaPath:"#/allOf/2/then/properties/output/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
var valid13 = true;
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
const _errs45 = errors;
if(!(validate35.call(this, data11[i1], {instancePath:instancePath+"/output/" + i1,parentData:data11,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
errors = vErrors.length;
}
var valid13 = _errs45 === errors;
if(!valid13){
break;
}
}
}
}
}
var valid11 = _errs43 === errors;
}
else {
var valid11 = true;
}
if(valid11){
for(const name2 in data){
if(!(name2 === "status" || name2 === "id" || name2 === "type" || name2 === "output" || name2 === "call_id" || data[name2] === null)){
this.add(instancePath, name2);
}
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/allOf/2/then/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid3 = _errs35 === errors;
valid9 = _valid3;
if(valid9){
var props4 = {};
props4.call_id = true;
props4.output = true;
props4.type = true;
}
}
if(!valid9){
const err15 = {instancePath,schemaPath:"#/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate34.errors = vErrors;
return false;
}
var valid0 = _errs30 === errors;
if(valid0){
if(props1 !== true && props4 !== undefined){
if(props4 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props4);
}
}
const _errs46 = errors;
if(!(validate38.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
else {
var props5 = validate38.evaluated.props;
}
var valid0 = _errs46 === errors;
if(valid0){
if(props1 !== true && props5 !== undefined){
if(props5 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props5);
}
}
}
}
}
}
validate34.errors = vErrors;
evaluated0.props = props1;
return errors === 0;
}
validate34.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema40 = {"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"function"}}},"then":{"$ref":"#/$defs/function"}},{"if":{"required":["type"],"properties":{"type":{"const":"namespace"}}},"then":{"required":["name","tools"],"properties":{"type":true,"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"x-no-effect":true}},"tools":{"type":"array","maxItems":1024,"items":{"type":"object","required":["type"],"properties":{"type":{"type":"string"}},"if":{"required":["type"],"properties":{"type":{"const":"function"}}},"then":{"$ref":"#/$defs/function"}}}},"additionalProperties":false}},{"if":{"required":["type"],"properties":{"type":{"const":"web_search"}}},"then":{"x-ignore-others":["type"]}}]};
const schema41 = {"type":"object","required":["name"],"properties":{"type":true,"name":{"type":"string","minLength":1,"maxLength":256},"description":{"if":{"type":"null"},"else":{"type":"string"}},"parameters":true,"strict":{"if":{"type":"null"},"else":{"type":"boolean"}},"allowed_callers":{"if":{"type":"null"},"else":{"x-no-effect":true}},"defer_loading":{"if":{"type":"null"},"else":{"x-no-effect":true}},"output_schema":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"additionalProperties":false};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate41.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
const _errs2 = errors;
let valid1 = true;
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.type !== undefined){
if("function" !== data.type){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
var _valid0 = _errs3 === errors;
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs5 = errors;
const _errs6 = errors;
if(errors === _errs6){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.name === undefined) && (missing1 = "name")){
validate41.errors = [{instancePath,schemaPath:"#/$defs/function/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs8 = errors;
for(const key0 in data){
if(!((((((((key0 === "type") || (key0 === "name")) || (key0 === "description")) || (key0 === "parameters")) || (key0 === "strict")) || (key0 === "allowed_callers")) || (key0 === "defer_loading")) || (key0 === "output_schema"))){
validate41.errors = [{instancePath,schemaPath:"#/$defs/function/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs8 === errors){
if(data.name !== undefined){
let data1 = data.name;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data1 === "string"){
if(data1.length > 256){
validate41.errors = [{instancePath:instancePath+"/name",schemaPath:"#/$defs/function/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data1.length < 1){
validate41.errors = [{instancePath:instancePath+"/name",schemaPath:"#/$defs/function/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate41.errors = [{instancePath:instancePath+"/name",schemaPath:"#/$defs/function/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid4 = _errs9 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.description !== undefined){
let data2 = data.description;
const _errs11 = errors;
const _errs12 = errors;
let valid5 = true;
const _errs13 = errors;
if(data2 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs13 === errors;
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs15 = errors;
if(typeof data2 !== "string"){
validate41.errors = [{instancePath:instancePath+"/description",schemaPath:"#/$defs/function/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid1 = _errs15 === errors;
valid5 = _valid1;
}
if(!valid5){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/$defs/function/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid4 = _errs11 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.strict !== undefined){
let data3 = data.strict;
const _errs17 = errors;
const _errs18 = errors;
let valid6 = true;
const _errs19 = errors;
if(data3 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs19 === errors;
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs21 = errors;
if(typeof data3 !== "boolean"){
validate41.errors = [{instancePath:instancePath+"/strict",schemaPath:"#/$defs/function/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid2 = _errs21 === errors;
valid6 = _valid2;
}
if(!valid6){
const err5 = {instancePath:instancePath+"/strict",schemaPath:"#/$defs/function/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.allowed_callers !== undefined){
const _errs23 = errors;
var valid4 = _errs23 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.defer_loading !== undefined){
const _errs25 = errors;
var valid4 = _errs25 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data.output_schema !== undefined){
const _errs27 = errors;
var valid4 = _errs27 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
}
}
}
else {
validate41.errors = [{instancePath,schemaPath:"#/$defs/function/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid0 = _errs5 === errors;
valid1 = _valid0;
if(valid1){
var props0 = true;
}
}
if(!valid1){
const err6 = {instancePath,schemaPath:"#/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid0 = _errs1 === errors;
if(valid0){
const _errs29 = errors;
const _errs30 = errors;
let valid7 = true;
const _errs31 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if((data.type === undefined) && (missing2 = "type")){
const err7 = {};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
if(data.type !== undefined){
if("namespace" !== data.type){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
}
var _valid3 = _errs31 === errors;
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs33 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if(((data.name === undefined) && (missing3 = "name")) || ((data.tools === undefined) && (missing3 = "tools"))){
validate41.errors = [{instancePath,schemaPath:"#/allOf/1/then/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
const _errs34 = errors;
for(const key1 in data){
if(!((((key1 === "type") || (key1 === "name")) || (key1 === "description")) || (key1 === "tools"))){
validate41.errors = [{instancePath,schemaPath:"#/allOf/1/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs34 === errors){
if(data.name !== undefined){
let data8 = data.name;
const _errs35 = errors;
if(errors === _errs35){
if(typeof data8 === "string"){
if(data8.length > 256){
validate41.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data8.length < 1){
validate41.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate41.errors = [{instancePath:instancePath+"/name",schemaPath:"#/allOf/1/then/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs35 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data.description !== undefined){
const _errs37 = errors;
var valid9 = _errs37 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data.tools !== undefined){
let data10 = data.tools;
const _errs39 = errors;
if(errors === _errs39){
if(Array.isArray(data10)){
if(data10.length > 1024){
validate41.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/allOf/1/then/properties/tools/maxItems",keyword:"maxItems",params:{limit: 1024}}];
return false;
}
else {
var valid10 = true;
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
let data11 = data10[i0];
const _errs41 = errors;
const _errs43 = errors;
let valid11 = true;
const _errs44 = errors;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing4;
if((data11.type === undefined) && (missing4 = "type")){
const err9 = {};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
if(data11.type !== undefined){
if("function" !== data11.type){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
var _valid4 = _errs44 === errors;
errors = _errs43;
if(vErrors !== null){
if(_errs43){
vErrors.length = _errs43;
}
else {
vErrors = null;
}
}
if(_valid4){
const _errs46 = errors;
const _errs47 = errors;
if(errors === _errs47){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing5;
if((data11.name === undefined) && (missing5 = "name")){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/$defs/function/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
const _errs49 = errors;
for(const key2 in data11){
if(!((((((((key2 === "type") || (key2 === "name")) || (key2 === "description")) || (key2 === "parameters")) || (key2 === "strict")) || (key2 === "allowed_callers")) || (key2 === "defer_loading")) || (key2 === "output_schema"))){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/$defs/function/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs49 === errors){
if(data11.name !== undefined){
let data13 = data11.name;
const _errs50 = errors;
if(errors === _errs50){
if(typeof data13 === "string"){
if(data13.length > 256){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0+"/name",schemaPath:"#/$defs/function/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data13.length < 1){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0+"/name",schemaPath:"#/$defs/function/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate41.errors = [{instancePath:instancePath+"/tools/" + i0+"/name",schemaPath:"#/$defs/function/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid14 = _errs50 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data11.description !== undefined){
let data14 = data11.description;
const _errs52 = errors;
const _errs53 = errors;
let valid15 = true;
const _errs54 = errors;
if(data14 !== null){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var _valid5 = _errs54 === errors;
errors = _errs53;
if(vErrors !== null){
if(_errs53){
vErrors.length = _errs53;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs56 = errors;
if(typeof data14 !== "string"){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0+"/description",schemaPath:"#/$defs/function/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid5 = _errs56 === errors;
valid15 = _valid5;
}
if(!valid15){
const err12 = {instancePath:instancePath+"/tools/" + i0+"/description",schemaPath:"#/$defs/function/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid14 = _errs52 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data11.strict !== undefined){
let data15 = data11.strict;
const _errs58 = errors;
const _errs59 = errors;
let valid16 = true;
const _errs60 = errors;
if(data15 !== null){
const err13 = {};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
var _valid6 = _errs60 === errors;
errors = _errs59;
if(vErrors !== null){
if(_errs59){
vErrors.length = _errs59;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs62 = errors;
if(typeof data15 !== "boolean"){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0+"/strict",schemaPath:"#/$defs/function/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid6 = _errs62 === errors;
valid16 = _valid6;
}
if(!valid16){
const err14 = {instancePath:instancePath+"/tools/" + i0+"/strict",schemaPath:"#/$defs/function/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid14 = _errs58 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data11.allowed_callers !== undefined){
const _errs64 = errors;
var valid14 = _errs64 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data11.defer_loading !== undefined){
const _errs66 = errors;
var valid14 = _errs66 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data11.output_schema !== undefined){
const _errs68 = errors;
var valid14 = _errs68 === errors;
}
else {
var valid14 = true;
}
}
}
}
}
}
}
}
}
else {
validate41.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/$defs/function/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid4 = _errs46 === errors;
valid11 = _valid4;
if(valid11){
var props1 = true;
}
}
if(!valid11){
const err15 = {instancePath:instancePath+"/tools/" + i0,schemaPath:"#/allOf/1/then/properties/tools/items/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate41.errors = vErrors;
return false;
}
if(errors === _errs41){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing6;
if((data11.type === undefined) && (missing6 = "type")){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/allOf/1/then/properties/tools/items/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
if(props1 !== true){
props1 = props1 || {};
props1.type = true;
}
if(data11.type !== undefined){
if(typeof data11.type !== "string"){
validate41.errors = [{instancePath:instancePath+"/tools/" + i0+"/type",schemaPath:"#/allOf/1/then/properties/tools/items/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate41.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/allOf/1/then/properties/tools/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid10 = _errs41 === errors;
if(!valid10){
break;
}
}
}
}
else {
validate41.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/allOf/1/then/properties/tools/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid9 = _errs39 === errors;
}
else {
var valid9 = true;
}
}
}
}
}
}
var _valid3 = _errs33 === errors;
valid7 = _valid3;
if(valid7){
var props2 = true;
}
}
if(!valid7){
const err16 = {instancePath,schemaPath:"#/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid0 = _errs29 === errors;
if(valid0){
if(props0 !== true && props2 !== undefined){
if(props2 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props2);
}
}
const _errs72 = errors;
const _errs73 = errors;
let valid18 = true;
const _errs74 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing7;
if((data.type === undefined) && (missing7 = "type")){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
else {
if(data.type !== undefined){
if("web_search" !== data.type){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
}
var _valid7 = _errs74 === errors;
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
if(_valid7){
const _errs76 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const name0 in data){
if(!(name0 === "type" || data[name0] === null)){
this.add(instancePath, name0);
}
}
}
var _valid7 = _errs76 === errors;
valid18 = _valid7;
}
if(!valid18){
const err19 = {instancePath,schemaPath:"#/allOf/2/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate41.errors = vErrors;
return false;
}
var valid0 = _errs72 === errors;
if(valid0){
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
}
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing8;
if((data.type === undefined) && (missing8 = "type")){
validate41.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing8}}];
return false;
}
else {
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
validate41.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate41.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate41.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate41.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/responses.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate33.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.model === undefined) && (missing0 = "model")) || ((data.input === undefined) && (missing0 = "input"))){
validate33.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema34.properties, key0))){
validate33.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate33.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate33.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.input !== undefined){
let data1 = data.input;
const _errs4 = errors;
if((typeof data1 !== "string") && (!(Array.isArray(data1)))){
validate33.errors = [{instancePath:instancePath+"/input",schemaPath:"#/properties/input/type",keyword:"type",params:{type: schema34.properties.input.type}}];
return false;
}
if(errors === _errs4){
if(Array.isArray(data1)){
if(data1.length > 10000){
validate33.errors = [{instancePath:instancePath+"/input",schemaPath:"#/properties/input/maxItems",keyword:"maxItems",params:{limit: 10000}}];
return false;
}
else {
if(data1.length < 1){
validate33.errors = [{instancePath:instancePath+"/input",schemaPath:"#/properties/input/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs6 = errors;
if(!(validate34.call(this, data1[i0], {instancePath:instancePath+"/input/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.instructions !== undefined){
let data3 = data.instructions;
const _errs7 = errors;
const _errs8 = errors;
let valid2 = true;
const _errs9 = errors;
if(data3 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs9 === errors;
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs11 = errors;
if(typeof data3 !== "string"){
validate33.errors = [{instancePath:instancePath+"/instructions",schemaPath:"#/properties/instructions/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid0 = _errs11 === errors;
valid2 = _valid0;
}
if(!valid2){
const err1 = {instancePath:instancePath+"/instructions",schemaPath:"#/properties/instructions/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream !== undefined){
let data4 = data.stream;
const _errs13 = errors;
const _errs14 = errors;
let valid3 = true;
const _errs15 = errors;
if(data4 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs15 === errors;
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs17 = errors;
if(typeof data4 !== "boolean"){
validate33.errors = [{instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid1 = _errs17 === errors;
valid3 = _valid1;
}
if(!valid3){
const err3 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream_options !== undefined){
let data5 = data.stream_options;
const _errs19 = errors;
const _errs20 = errors;
let valid4 = true;
const _errs21 = errors;
if(data5 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs21 === errors;
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs23 = errors;
if(errors === _errs23){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const name0 in data5){
if(!(data5[name0] === null)){
this.add(instancePath+"/stream_options", name0);
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/stream_options",schemaPath:"#/properties/stream_options/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid2 = _errs23 === errors;
valid4 = _valid2;
}
if(!valid4){
const err5 = {instancePath:instancePath+"/stream_options",schemaPath:"#/properties/stream_options/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_output_tokens !== undefined){
let data6 = data.max_output_tokens;
const _errs25 = errors;
const _errs26 = errors;
let valid5 = true;
const _errs27 = errors;
if(data6 !== null){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid3 = _errs27 === errors;
errors = _errs26;
if(vErrors !== null){
if(_errs26){
vErrors.length = _errs26;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs29 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate33.errors = [{instancePath:instancePath+"/max_output_tokens",schemaPath:"#/properties/max_output_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs29){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 2147483647 || isNaN(data6)){
validate33.errors = [{instancePath:instancePath+"/max_output_tokens",schemaPath:"#/properties/max_output_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data6 < 1 || isNaN(data6)){
validate33.errors = [{instancePath:instancePath+"/max_output_tokens",schemaPath:"#/properties/max_output_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid3 = _errs29 === errors;
valid5 = _valid3;
}
if(!valid5){
const err7 = {instancePath:instancePath+"/max_output_tokens",schemaPath:"#/properties/max_output_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.temperature !== undefined){
let data7 = data.temperature;
const _errs31 = errors;
const _errs32 = errors;
let valid6 = true;
const _errs33 = errors;
if(data7 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid4 = _errs33 === errors;
errors = _errs32;
if(vErrors !== null){
if(_errs32){
vErrors.length = _errs32;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs35 = errors;
if(errors === _errs35){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 2 || isNaN(data7)){
validate33.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate33.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid4 = _errs35 === errors;
valid6 = _valid4;
}
if(!valid6){
const err9 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_p !== undefined){
let data8 = data.top_p;
const _errs37 = errors;
const _errs38 = errors;
let valid7 = true;
const _errs39 = errors;
if(data8 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid5 = _errs39 === errors;
errors = _errs38;
if(vErrors !== null){
if(_errs38){
vErrors.length = _errs38;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs41 = errors;
if(errors === _errs41){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 1 || isNaN(data8)){
validate33.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data8 <= 0 || isNaN(data8)){
validate33.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid5 = _errs41 === errors;
valid7 = _valid5;
}
if(!valid7){
const err11 = {instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seed !== undefined){
let data9 = data.seed;
const _errs43 = errors;
const _errs44 = errors;
let valid8 = true;
const _errs45 = errors;
if(data9 !== null){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid6 = _errs45 === errors;
errors = _errs44;
if(vErrors !== null){
if(_errs44){
vErrors.length = _errs44;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs47 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate33.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs47){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 9007199254740991 || isNaN(data9)){
validate33.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}}];
return false;
}
else {
if(data9 < -9007199254740991 || isNaN(data9)){
validate33.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991}}];
return false;
}
}
}
}
var _valid6 = _errs47 === errors;
valid8 = _valid6;
}
if(!valid8){
const err13 = {instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs43 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
let data10 = data.tools;
const _errs49 = errors;
const _errs50 = errors;
let valid9 = true;
const _errs51 = errors;
if(data10 !== null){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid7 = _errs51 === errors;
errors = _errs50;
if(vErrors !== null){
if(_errs50){
vErrors.length = _errs50;
}
else {
vErrors = null;
}
}
if(!_valid7){
const _errs53 = errors;
if(errors === _errs53){
if(Array.isArray(data10)){
if(data10.length > 1024){
validate33.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/else/maxItems",keyword:"maxItems",params:{limit: 1024}}];
return false;
}
else {
var valid10 = true;
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
const _errs55 = errors;
if(!(validate41.call(this, data10[i1], {instancePath:instancePath+"/tools/" + i1,parentData:data10,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate41.errors : vErrors.concat(validate41.errors);
errors = vErrors.length;
}
var valid10 = _errs55 === errors;
if(!valid10){
break;
}
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid7 = _errs53 === errors;
valid9 = _valid7;
}
if(!valid9){
const err15 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs49 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_choice !== undefined){
let data12 = data.tool_choice;
const _errs56 = errors;
const _errs57 = errors;
let valid11 = true;
const _errs58 = errors;
if(data12 !== null){
const err16 = {};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid8 = _errs58 === errors;
errors = _errs57;
if(vErrors !== null){
if(_errs57){
vErrors.length = _errs57;
}
else {
vErrors = null;
}
}
if(!_valid8){
const _errs60 = errors;
if((typeof data12 !== "string") && (!(data12 && typeof data12 == "object" && !Array.isArray(data12)))){
validate33.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/type",keyword:"type",params:{type: schema34.properties.tool_choice.else.type}}];
return false;
}
const _errs62 = errors;
let valid12 = true;
const _errs63 = errors;
if(typeof data12 !== "string"){
const err17 = {};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid9 = _errs63 === errors;
errors = _errs62;
if(vErrors !== null){
if(_errs62){
vErrors.length = _errs62;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid9){
const _errs65 = errors;
if(!(((data12 === "auto") || (data12 === "none")) || (data12 === "required"))){
validate33.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/then/enum",keyword:"enum",params:{allowedValues: schema34.properties.tool_choice.else.then.enum}}];
return false;
}
var _valid9 = _errs65 === errors;
valid12 = _valid9;
ifClause0 = "then";
}
else {
const _errs66 = errors;
if(errors === _errs66){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
let missing1;
if(((data12.type === undefined) && (missing1 = "type")) || ((data12.name === undefined) && (missing1 = "name"))){
validate33.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/else/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs68 = errors;
for(const key1 in data12){
if(!((key1 === "type") || (key1 === "name"))){
validate33.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs68 === errors){
if(data12.type !== undefined){
const _errs69 = errors;
if("function" !== data12.type){
validate33.errors = [{instancePath:instancePath+"/tool_choice/type",schemaPath:"#/properties/tool_choice/else/else/properties/type/const",keyword:"const",params:{allowedValue: "function"}}];
return false;
}
var valid13 = _errs69 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data12.name !== undefined){
const _errs70 = errors;
if(typeof data12.name !== "string"){
validate33.errors = [{instancePath:instancePath+"/tool_choice/name",schemaPath:"#/properties/tool_choice/else/else/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid13 = _errs70 === errors;
}
else {
var valid13 = true;
}
}
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid9 = _errs66 === errors;
valid12 = _valid9;
ifClause0 = "else";
}
if(!valid12){
const err18 = {instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/else/if",keyword:"if",params:{failingKeyword: ifClause0}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
validate33.errors = vErrors;
return false;
}
var _valid8 = _errs60 === errors;
valid11 = _valid8;
}
if(!valid11){
const err19 = {instancePath:instancePath+"/tool_choice",schemaPath:"#/properties/tool_choice/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs56 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parallel_tool_calls !== undefined){
let data15 = data.parallel_tool_calls;
const _errs72 = errors;
const _errs73 = errors;
let valid14 = true;
const _errs74 = errors;
if(data15 !== null){
const err20 = {};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
var _valid10 = _errs74 === errors;
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
if(!_valid10){
const _errs76 = errors;
if(typeof data15 !== "boolean"){
validate33.errors = [{instancePath:instancePath+"/parallel_tool_calls",schemaPath:"#/properties/parallel_tool_calls/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid10 = _errs76 === errors;
valid14 = _valid10;
}
if(!valid14){
const err21 = {instancePath:instancePath+"/parallel_tool_calls",schemaPath:"#/properties/parallel_tool_calls/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs72 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reasoning !== undefined){
let data16 = data.reasoning;
const _errs78 = errors;
const _errs79 = errors;
let valid15 = true;
const _errs80 = errors;
if(data16 !== null){
const err22 = {};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
var _valid11 = _errs80 === errors;
errors = _errs79;
if(vErrors !== null){
if(_errs79){
vErrors.length = _errs79;
}
else {
vErrors = null;
}
}
if(!_valid11){
const _errs82 = errors;
if(errors === _errs82){
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
const _errs84 = errors;
for(const key2 in data16){
if(!((((key2 === "effort") || (key2 === "summary")) || (key2 === "generate_summary")) || (key2 === "context"))){
validate33.errors = [{instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs84 === errors){
if(data16.effort !== undefined){
const _errs85 = errors;
var valid16 = _errs85 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data16.summary !== undefined){
const _errs87 = errors;
var valid16 = _errs87 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data16.generate_summary !== undefined){
const _errs89 = errors;
var valid16 = _errs89 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data16.context !== undefined){
const _errs91 = errors;
var valid16 = _errs91 === errors;
}
else {
var valid16 = true;
}
}
}
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid11 = _errs82 === errors;
valid15 = _valid11;
}
if(!valid15){
const err23 = {instancePath:instancePath+"/reasoning",schemaPath:"#/properties/reasoning/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs78 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.text !== undefined){
let data21 = data.text;
const _errs93 = errors;
const _errs94 = errors;
let valid17 = true;
const _errs95 = errors;
if(data21 !== null){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var _valid12 = _errs95 === errors;
errors = _errs94;
if(vErrors !== null){
if(_errs94){
vErrors.length = _errs94;
}
else {
vErrors = null;
}
}
if(!_valid12){
const _errs97 = errors;
if(errors === _errs97){
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
const _errs99 = errors;
for(const key3 in data21){
if(!((key3 === "format") || (key3 === "verbosity"))){
validate33.errors = [{instancePath:instancePath+"/text",schemaPath:"#/properties/text/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs99 === errors){
if(data21.format !== undefined){
let data22 = data21.format;
const _errs100 = errors;
const _errs101 = errors;
let valid19 = true;
const _errs102 = errors;
if(data22 !== null){
const err25 = {};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
var _valid13 = _errs102 === errors;
errors = _errs101;
if(vErrors !== null){
if(_errs101){
vErrors.length = _errs101;
}
else {
vErrors = null;
}
}
if(!_valid13){
const _errs104 = errors;
const _errs105 = errors;
const _errs107 = errors;
const _errs108 = errors;
let valid22 = true;
const _errs109 = errors;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
let missing2;
if((data22.type === undefined) && (missing2 = "type")){
const err26 = {};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
else {
if(data22.type !== undefined){
let data23 = data22.type;
if(!((data23 === "text") || (data23 === "json_object"))){
const err27 = {};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
}
var _valid14 = _errs109 === errors;
errors = _errs108;
if(vErrors !== null){
if(_errs108){
vErrors.length = _errs108;
}
else {
vErrors = null;
}
}
if(_valid14){
const _errs111 = errors;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
for(const key4 in data22){
if(!(key4 === "type")){
validate33.errors = [{instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/allOf/0/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
}
var _valid14 = _errs111 === errors;
valid22 = _valid14;
if(valid22){
var props4 = true;
}
}
if(!valid22){
const err28 = {instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/allOf/0/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid21 = _errs107 === errors;
if(valid21){
const _errs113 = errors;
const _errs114 = errors;
let valid24 = true;
const _errs115 = errors;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
let missing3;
if((data22.type === undefined) && (missing3 = "type")){
const err29 = {};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
else {
if(data22.type !== undefined){
if("json_schema" !== data22.type){
const err30 = {};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
}
var _valid15 = _errs115 === errors;
errors = _errs114;
if(vErrors !== null){
if(_errs114){
vErrors.length = _errs114;
}
else {
vErrors = null;
}
}
if(_valid15){
const _errs117 = errors;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
let missing4;
if((data22.name === undefined) && (missing4 = "name")){
validate33.errors = [{instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/allOf/1/then/required",keyword:"required",params:{missingProperty: missing4}}];
return false;
}
else {
const _errs118 = errors;
for(const key5 in data22){
if(!(((((key5 === "type") || (key5 === "name")) || (key5 === "description")) || (key5 === "schema")) || (key5 === "strict"))){
validate33.errors = [{instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/allOf/1/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs118 === errors){
if(data22.name !== undefined){
let data25 = data22.name;
const _errs119 = errors;
if(errors === _errs119){
if(typeof data25 === "string"){
if(data25.length > 256){
validate33.errors = [{instancePath:instancePath+"/text/format/name",schemaPath:"#/$defs/format/allOf/1/then/properties/name/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
else {
if(data25.length < 1){
validate33.errors = [{instancePath:instancePath+"/text/format/name",schemaPath:"#/$defs/format/allOf/1/then/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/text/format/name",schemaPath:"#/$defs/format/allOf/1/then/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid26 = _errs119 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data22.description !== undefined){
let data26 = data22.description;
const _errs121 = errors;
const _errs122 = errors;
let valid27 = true;
const _errs123 = errors;
if(data26 !== null){
const err31 = {};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
var _valid16 = _errs123 === errors;
errors = _errs122;
if(vErrors !== null){
if(_errs122){
vErrors.length = _errs122;
}
else {
vErrors = null;
}
}
if(!_valid16){
const _errs125 = errors;
if(typeof data26 !== "string"){
validate33.errors = [{instancePath:instancePath+"/text/format/description",schemaPath:"#/$defs/format/allOf/1/then/properties/description/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid16 = _errs125 === errors;
valid27 = _valid16;
}
if(!valid27){
const err32 = {instancePath:instancePath+"/text/format/description",schemaPath:"#/$defs/format/allOf/1/then/properties/description/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid26 = _errs121 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data22.schema !== undefined){
let data27 = data22.schema;
const _errs127 = errors;
const _errs128 = errors;
let valid28 = true;
const _errs129 = errors;
if(data27 !== null){
const err33 = {};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
var _valid17 = _errs129 === errors;
errors = _errs128;
if(vErrors !== null){
if(_errs128){
vErrors.length = _errs128;
}
else {
vErrors = null;
}
}
if(!_valid17){
const _errs131 = errors;
if(!(data27 && typeof data27 == "object" && !Array.isArray(data27))){
validate33.errors = [{instancePath:instancePath+"/text/format/schema",schemaPath:"#/$defs/format/allOf/1/then/properties/schema/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
var _valid17 = _errs131 === errors;
valid28 = _valid17;
}
if(!valid28){
const err34 = {instancePath:instancePath+"/text/format/schema",schemaPath:"#/$defs/format/allOf/1/then/properties/schema/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid26 = _errs127 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data22.strict !== undefined){
let data28 = data22.strict;
const _errs133 = errors;
const _errs134 = errors;
let valid29 = true;
const _errs135 = errors;
if(data28 !== null){
const err35 = {};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
var _valid18 = _errs135 === errors;
errors = _errs134;
if(vErrors !== null){
if(_errs134){
vErrors.length = _errs134;
}
else {
vErrors = null;
}
}
if(!_valid18){
const _errs137 = errors;
if(typeof data28 !== "boolean"){
validate33.errors = [{instancePath:instancePath+"/text/format/strict",schemaPath:"#/$defs/format/allOf/1/then/properties/strict/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid18 = _errs137 === errors;
valid29 = _valid18;
}
if(!valid29){
const err36 = {instancePath:instancePath+"/text/format/strict",schemaPath:"#/$defs/format/allOf/1/then/properties/strict/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid26 = _errs133 === errors;
}
else {
var valid26 = true;
}
}
}
}
}
}
}
var _valid15 = _errs117 === errors;
valid24 = _valid15;
if(valid24){
var props5 = true;
}
}
if(!valid24){
const err37 = {instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/allOf/1/if",keyword:"if",params:{failingKeyword: "then"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid21 = _errs113 === errors;
if(valid21){
if(props4 !== true && props5 !== undefined){
if(props5 === true){
props4 = true;
}
else {
props4 = props4 || {};
Object.assign(props4, props5);
}
}
}
}
if(errors === _errs105){
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
let missing5;
if((data22.type === undefined) && (missing5 = "type")){
validate33.errors = [{instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
if(props4 !== true){
props4 = props4 || {};
props4.type = true;
}
if(data22.type !== undefined){
if(typeof data22.type !== "string"){
validate33.errors = [{instancePath:instancePath+"/text/format/type",schemaPath:"#/$defs/format/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/text/format",schemaPath:"#/$defs/format/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid13 = _errs104 === errors;
valid19 = _valid13;
}
if(!valid19){
const err38 = {instancePath:instancePath+"/text/format",schemaPath:"#/properties/text/else/properties/format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid18 = _errs100 === errors;
}
else {
var valid18 = true;
}
if(valid18){
if(data21.verbosity !== undefined){
const _errs141 = errors;
var valid18 = _errs141 === errors;
}
else {
var valid18 = true;
}
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/text",schemaPath:"#/properties/text/else/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var _valid12 = _errs97 === errors;
valid17 = _valid12;
}
if(!valid17){
const err39 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs93 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.previous_response_id !== undefined){
const _errs143 = errors;
var valid0 = _errs143 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.background !== undefined){
const _errs145 = errors;
var valid0 = _errs145 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_metadata !== undefined){
const _errs147 = errors;
var valid0 = _errs147 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.include !== undefined){
const _errs149 = errors;
var valid0 = _errs149 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs151 = errors;
var valid0 = _errs151 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_key !== undefined){
const _errs153 = errors;
var valid0 = _errs153 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_options !== undefined){
const _errs155 = errors;
var valid0 = _errs155 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt_cache_retention !== undefined){
const _errs157 = errors;
var valid0 = _errs157 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.safety_identifier !== undefined){
const _errs159 = errors;
var valid0 = _errs159 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.service_tier !== undefined){
const _errs161 = errors;
var valid0 = _errs161 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.store !== undefined){
const _errs163 = errors;
var valid0 = _errs163 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.truncation !== undefined){
const _errs165 = errors;
var valid0 = _errs165 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs167 = errors;
var valid0 = _errs167 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.context_management !== undefined){
const _errs169 = errors;
const _errs170 = errors;
let valid31 = true;
const _errs171 = errors;
if(data.context_management !== null){
const err40 = {};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
var _valid19 = _errs171 === errors;
errors = _errs170;
if(vErrors !== null){
if(_errs170){
vErrors.length = _errs170;
}
else {
vErrors = null;
}
}
if(!_valid19){
var _valid19 = false;
validate33.errors = [{instancePath:instancePath+"/context_management",schemaPath:"#/properties/context_management/else/false schema",keyword:"false schema",params:{}}];
return false;
valid31 = _valid19;
}
if(!valid31){
const err41 = {instancePath:instancePath+"/context_management",schemaPath:"#/properties/context_management/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs169 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.conversation !== undefined){
const _errs173 = errors;
const _errs174 = errors;
let valid32 = true;
const _errs175 = errors;
if(data.conversation !== null){
const err42 = {};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
var _valid20 = _errs175 === errors;
errors = _errs174;
if(vErrors !== null){
if(_errs174){
vErrors.length = _errs174;
}
else {
vErrors = null;
}
}
if(!_valid20){
var _valid20 = false;
validate33.errors = [{instancePath:instancePath+"/conversation",schemaPath:"#/properties/conversation/else/false schema",keyword:"false schema",params:{}}];
return false;
valid32 = _valid20;
}
if(!valid32){
const err43 = {instancePath:instancePath+"/conversation",schemaPath:"#/properties/conversation/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs173 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_tool_calls !== undefined){
const _errs177 = errors;
const _errs178 = errors;
let valid33 = true;
const _errs179 = errors;
if(data.max_tool_calls !== null){
const err44 = {};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
var _valid21 = _errs179 === errors;
errors = _errs178;
if(vErrors !== null){
if(_errs178){
vErrors.length = _errs178;
}
else {
vErrors = null;
}
}
if(!_valid21){
var _valid21 = false;
validate33.errors = [{instancePath:instancePath+"/max_tool_calls",schemaPath:"#/properties/max_tool_calls/else/false schema",keyword:"false schema",params:{}}];
return false;
valid33 = _valid21;
}
if(!valid33){
const err45 = {instancePath:instancePath+"/max_tool_calls",schemaPath:"#/properties/max_tool_calls/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs177 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.moderation !== undefined){
const _errs181 = errors;
const _errs182 = errors;
let valid34 = true;
const _errs183 = errors;
if(data.moderation !== null){
const err46 = {};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
var _valid22 = _errs183 === errors;
errors = _errs182;
if(vErrors !== null){
if(_errs182){
vErrors.length = _errs182;
}
else {
vErrors = null;
}
}
if(!_valid22){
var _valid22 = false;
validate33.errors = [{instancePath:instancePath+"/moderation",schemaPath:"#/properties/moderation/else/false schema",keyword:"false schema",params:{}}];
return false;
valid34 = _valid22;
}
if(!valid34){
const err47 = {instancePath:instancePath+"/moderation",schemaPath:"#/properties/moderation/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs181 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt !== undefined){
const _errs185 = errors;
const _errs186 = errors;
let valid35 = true;
const _errs187 = errors;
if(data.prompt !== null){
const err48 = {};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
var _valid23 = _errs187 === errors;
errors = _errs186;
if(vErrors !== null){
if(_errs186){
vErrors.length = _errs186;
}
else {
vErrors = null;
}
}
if(!_valid23){
var _valid23 = false;
validate33.errors = [{instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/else/false schema",keyword:"false schema",params:{}}];
return false;
valid35 = _valid23;
}
if(!valid35){
const err49 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs185 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_logprobs !== undefined){
const _errs189 = errors;
const _errs190 = errors;
let valid36 = true;
const _errs191 = errors;
if(data.top_logprobs !== null){
const err50 = {};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
var _valid24 = _errs191 === errors;
errors = _errs190;
if(vErrors !== null){
if(_errs190){
vErrors.length = _errs190;
}
else {
vErrors = null;
}
}
if(!_valid24){
var _valid24 = false;
validate33.errors = [{instancePath:instancePath+"/top_logprobs",schemaPath:"#/properties/top_logprobs/else/false schema",keyword:"false schema",params:{}}];
return false;
valid36 = _valid24;
}
if(!valid36){
const err51 = {instancePath:instancePath+"/top_logprobs",schemaPath:"#/properties/top_logprobs/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
validate33.errors = vErrors;
return false;
}
var valid0 = _errs189 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate33.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate33.errors = vErrors;
return errors === 0;
}
validate33.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const score = validate43;
const schema44 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/score.json","type":"object","required":["model"],"additionalProperties":false,"properties":{"model":{"type":"string","minLength":1},"text_1":{"if":{"type":"null"},"else":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"maxItems":2048,"items":{"type":"string"}}]}},"text_2":{"if":{"type":"null"},"else":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"maxItems":2048,"items":{"type":"string"}}]}},"query":{"if":{"type":"null"},"else":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/tokens"}]}},"items":{"if":{"type":"null"},"else":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"maxItems":2048,"items":{"type":"string"}},{"type":"array","minItems":1,"maxItems":2048,"items":{"$ref":"#/$defs/tokens"}}]}},"label_token_ids":{"if":{"type":"null"},"else":{"type":"array","minItems":1,"maxItems":1024,"items":{"type":"integer","minimum":0}}},"apply_softmax":{"if":{"type":"null"},"else":{"type":"boolean"}},"item_first":{"if":{"type":"null"},"else":{"type":"boolean"}},"truncate_prompt_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"user":{"if":{"type":"null"},"else":{"x-no-effect":true}}},"$defs":{"tokens":{"type":"array","minItems":1,"items":{"type":"integer","minimum":0}}}};
const schema45 = {"type":"array","minItems":1,"items":{"type":"integer","minimum":0}};

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/score.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate43.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.model === undefined) && (missing0 = "model")){
validate43.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema44.properties, key0))){
validate43.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.model !== undefined){
let data0 = data.model;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
validate43.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate43.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.text_1 !== undefined){
let data1 = data.text_1;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = true;
const _errs6 = errors;
if(data1 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs8 = errors;
const _errs9 = errors;
let valid2 = false;
const _errs10 = errors;
if(typeof data1 !== "string"){
const err1 = {instancePath:instancePath+"/text_1",schemaPath:"#/properties/text_1/else/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid1 = _errs10 === errors;
valid2 = valid2 || _valid1;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data1)){
if(data1.length > 2048){
const err2 = {instancePath:instancePath+"/text_1",schemaPath:"#/properties/text_1/else/anyOf/1/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
if(data1.length < 1){
const err3 = {instancePath:instancePath+"/text_1",schemaPath:"#/properties/text_1/else/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
var valid3 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs14 = errors;
if(typeof data1[i0] !== "string"){
const err4 = {instancePath:instancePath+"/text_1/" + i0,schemaPath:"#/properties/text_1/else/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var valid3 = _errs14 === errors;
if(!valid3){
break;
}
}
}
}
}
else {
const err5 = {instancePath:instancePath+"/text_1",schemaPath:"#/properties/text_1/else/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
var _valid1 = _errs12 === errors;
valid2 = valid2 || _valid1;
if(!valid2){
const err6 = {instancePath:instancePath+"/text_1",schemaPath:"#/properties/text_1/else/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
validate43.errors = vErrors;
return false;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
var _valid0 = _errs8 === errors;
valid1 = _valid0;
}
if(!valid1){
const err7 = {instancePath:instancePath+"/text_1",schemaPath:"#/properties/text_1/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.text_2 !== undefined){
let data3 = data.text_2;
const _errs16 = errors;
const _errs17 = errors;
let valid4 = true;
const _errs18 = errors;
if(data3 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid2 = _errs18 === errors;
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs20 = errors;
const _errs21 = errors;
let valid5 = false;
const _errs22 = errors;
if(typeof data3 !== "string"){
const err9 = {instancePath:instancePath+"/text_2",schemaPath:"#/properties/text_2/else/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
var _valid3 = _errs22 === errors;
valid5 = valid5 || _valid3;
const _errs24 = errors;
if(errors === _errs24){
if(Array.isArray(data3)){
if(data3.length > 2048){
const err10 = {instancePath:instancePath+"/text_2",schemaPath:"#/properties/text_2/else/anyOf/1/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
if(data3.length < 1){
const err11 = {instancePath:instancePath+"/text_2",schemaPath:"#/properties/text_2/else/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
var valid6 = true;
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
const _errs26 = errors;
if(typeof data3[i1] !== "string"){
const err12 = {instancePath:instancePath+"/text_2/" + i1,schemaPath:"#/properties/text_2/else/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var valid6 = _errs26 === errors;
if(!valid6){
break;
}
}
}
}
}
else {
const err13 = {instancePath:instancePath+"/text_2",schemaPath:"#/properties/text_2/else/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
var _valid3 = _errs24 === errors;
valid5 = valid5 || _valid3;
if(!valid5){
const err14 = {instancePath:instancePath+"/text_2",schemaPath:"#/properties/text_2/else/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate43.errors = vErrors;
return false;
}
else {
errors = _errs21;
if(vErrors !== null){
if(_errs21){
vErrors.length = _errs21;
}
else {
vErrors = null;
}
}
}
var _valid2 = _errs20 === errors;
valid4 = _valid2;
}
if(!valid4){
const err15 = {instancePath:instancePath+"/text_2",schemaPath:"#/properties/text_2/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.query !== undefined){
let data5 = data.query;
const _errs28 = errors;
const _errs29 = errors;
let valid7 = true;
const _errs30 = errors;
if(data5 !== null){
const err16 = {};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid4 = _errs30 === errors;
errors = _errs29;
if(vErrors !== null){
if(_errs29){
vErrors.length = _errs29;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs32 = errors;
const _errs33 = errors;
let valid8 = false;
const _errs34 = errors;
if(typeof data5 !== "string"){
const err17 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/else/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid5 = _errs34 === errors;
valid8 = valid8 || _valid5;
const _errs36 = errors;
const _errs37 = errors;
if(errors === _errs37){
if(Array.isArray(data5)){
if(data5.length < 1){
const err18 = {instancePath:instancePath+"/query",schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
else {
var valid10 = true;
const len2 = data5.length;
for(let i2=0; i2<len2; i2++){
let data6 = data5[i2];
const _errs39 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err19 = {instancePath:instancePath+"/query/" + i2,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(errors === _errs39){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
const err20 = {instancePath:instancePath+"/query/" + i2,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
var valid10 = _errs39 === errors;
if(!valid10){
break;
}
}
}
}
else {
const err21 = {instancePath:instancePath+"/query",schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
var _valid5 = _errs36 === errors;
valid8 = valid8 || _valid5;
if(!valid8){
const err22 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/else/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
validate43.errors = vErrors;
return false;
}
else {
errors = _errs33;
if(vErrors !== null){
if(_errs33){
vErrors.length = _errs33;
}
else {
vErrors = null;
}
}
}
var _valid4 = _errs32 === errors;
valid7 = _valid4;
}
if(!valid7){
const err23 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.items !== undefined){
let data7 = data.items;
const _errs41 = errors;
const _errs42 = errors;
let valid11 = true;
const _errs43 = errors;
if(data7 !== null){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var _valid6 = _errs43 === errors;
errors = _errs42;
if(vErrors !== null){
if(_errs42){
vErrors.length = _errs42;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs45 = errors;
const _errs46 = errors;
let valid12 = false;
const _errs47 = errors;
if(typeof data7 !== "string"){
const err25 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
var _valid7 = _errs47 === errors;
valid12 = valid12 || _valid7;
const _errs49 = errors;
if(errors === _errs49){
if(Array.isArray(data7)){
if(data7.length > 2048){
const err26 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/1/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
else {
if(data7.length < 1){
const err27 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/1/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
else {
var valid13 = true;
const len3 = data7.length;
for(let i3=0; i3<len3; i3++){
const _errs51 = errors;
if(typeof data7[i3] !== "string"){
const err28 = {instancePath:instancePath+"/items/" + i3,schemaPath:"#/properties/items/else/anyOf/1/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
var valid13 = _errs51 === errors;
if(!valid13){
break;
}
}
}
}
}
else {
const err29 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/1/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
var _valid7 = _errs49 === errors;
valid12 = valid12 || _valid7;
if(_valid7){
var items3 = true;
}
const _errs53 = errors;
if(errors === _errs53){
if(Array.isArray(data7)){
if(data7.length > 2048){
const err30 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
else {
if(data7.length < 1){
const err31 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/2/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
else {
var valid14 = true;
const len4 = data7.length;
for(let i4=0; i4<len4; i4++){
let data9 = data7[i4];
const _errs55 = errors;
const _errs56 = errors;
if(errors === _errs56){
if(Array.isArray(data9)){
if(data9.length < 1){
const err32 = {instancePath:instancePath+"/items/" + i4,schemaPath:"#/$defs/tokens/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
else {
var valid16 = true;
const len5 = data9.length;
for(let i5=0; i5<len5; i5++){
let data10 = data9[i5];
const _errs58 = errors;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err33 = {instancePath:instancePath+"/items/" + i4+"/" + i5,schemaPath:"#/$defs/tokens/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(errors === _errs58){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
const err34 = {instancePath:instancePath+"/items/" + i4+"/" + i5,schemaPath:"#/$defs/tokens/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
var valid16 = _errs58 === errors;
if(!valid16){
break;
}
}
}
}
else {
const err35 = {instancePath:instancePath+"/items/" + i4,schemaPath:"#/$defs/tokens/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
var valid14 = _errs55 === errors;
if(!valid14){
break;
}
}
}
}
}
else {
const err36 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
var _valid7 = _errs53 === errors;
valid12 = valid12 || _valid7;
if(_valid7){
if(items3 !== true){
items3 = true;
}
}
if(!valid12){
const err37 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/else/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
validate43.errors = vErrors;
return false;
}
else {
errors = _errs46;
if(vErrors !== null){
if(_errs46){
vErrors.length = _errs46;
}
else {
vErrors = null;
}
}
}
var _valid6 = _errs45 === errors;
valid11 = _valid6;
}
if(!valid11){
const err38 = {instancePath:instancePath+"/items",schemaPath:"#/properties/items/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs41 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.label_token_ids !== undefined){
let data11 = data.label_token_ids;
const _errs60 = errors;
const _errs61 = errors;
let valid17 = true;
const _errs62 = errors;
if(data11 !== null){
const err39 = {};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
var _valid8 = _errs62 === errors;
errors = _errs61;
if(vErrors !== null){
if(_errs61){
vErrors.length = _errs61;
}
else {
vErrors = null;
}
}
if(!_valid8){
const _errs64 = errors;
if(errors === _errs64){
if(Array.isArray(data11)){
if(data11.length > 1024){
validate43.errors = [{instancePath:instancePath+"/label_token_ids",schemaPath:"#/properties/label_token_ids/else/maxItems",keyword:"maxItems",params:{limit: 1024}}];
return false;
}
else {
if(data11.length < 1){
validate43.errors = [{instancePath:instancePath+"/label_token_ids",schemaPath:"#/properties/label_token_ids/else/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid18 = true;
const len6 = data11.length;
for(let i6=0; i6<len6; i6++){
let data12 = data11[i6];
const _errs66 = errors;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
validate43.errors = [{instancePath:instancePath+"/label_token_ids/" + i6,schemaPath:"#/properties/label_token_ids/else/items/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs66){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 < 0 || isNaN(data12)){
validate43.errors = [{instancePath:instancePath+"/label_token_ids/" + i6,schemaPath:"#/properties/label_token_ids/else/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid18 = _errs66 === errors;
if(!valid18){
break;
}
}
}
}
}
else {
validate43.errors = [{instancePath:instancePath+"/label_token_ids",schemaPath:"#/properties/label_token_ids/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid8 = _errs64 === errors;
valid17 = _valid8;
}
if(!valid17){
const err40 = {instancePath:instancePath+"/label_token_ids",schemaPath:"#/properties/label_token_ids/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs60 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.apply_softmax !== undefined){
let data13 = data.apply_softmax;
const _errs68 = errors;
const _errs69 = errors;
let valid19 = true;
const _errs70 = errors;
if(data13 !== null){
const err41 = {};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
var _valid9 = _errs70 === errors;
errors = _errs69;
if(vErrors !== null){
if(_errs69){
vErrors.length = _errs69;
}
else {
vErrors = null;
}
}
if(!_valid9){
const _errs72 = errors;
if(typeof data13 !== "boolean"){
validate43.errors = [{instancePath:instancePath+"/apply_softmax",schemaPath:"#/properties/apply_softmax/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid9 = _errs72 === errors;
valid19 = _valid9;
}
if(!valid19){
const err42 = {instancePath:instancePath+"/apply_softmax",schemaPath:"#/properties/apply_softmax/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs68 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.item_first !== undefined){
let data14 = data.item_first;
const _errs74 = errors;
const _errs75 = errors;
let valid20 = true;
const _errs76 = errors;
if(data14 !== null){
const err43 = {};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
var _valid10 = _errs76 === errors;
errors = _errs75;
if(vErrors !== null){
if(_errs75){
vErrors.length = _errs75;
}
else {
vErrors = null;
}
}
if(!_valid10){
const _errs78 = errors;
if(typeof data14 !== "boolean"){
validate43.errors = [{instancePath:instancePath+"/item_first",schemaPath:"#/properties/item_first/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid10 = _errs78 === errors;
valid20 = _valid10;
}
if(!valid20){
const err44 = {instancePath:instancePath+"/item_first",schemaPath:"#/properties/item_first/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs74 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.truncate_prompt_tokens !== undefined){
let data15 = data.truncate_prompt_tokens;
const _errs80 = errors;
const _errs81 = errors;
let valid21 = true;
const _errs82 = errors;
if(data15 !== null){
const err45 = {};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
var _valid11 = _errs82 === errors;
errors = _errs81;
if(vErrors !== null){
if(_errs81){
vErrors.length = _errs81;
}
else {
vErrors = null;
}
}
if(!_valid11){
const _errs84 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
validate43.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs84){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 2147483647 || isNaN(data15)){
validate43.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data15 < -1 || isNaN(data15)){
validate43.errors = [{instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid11 = _errs84 === errors;
valid21 = _valid11;
}
if(!valid21){
const err46 = {instancePath:instancePath+"/truncate_prompt_tokens",schemaPath:"#/properties/truncate_prompt_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
validate43.errors = vErrors;
return false;
}
var valid0 = _errs80 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.user !== undefined){
const _errs86 = errors;
var valid0 = _errs86 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate43.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate43.errors = vErrors;
return errors === 0;
}
validate43.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const transcriptions = validate44;
const schema47 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"gateway:/bodies/transcriptions.json","type":"object","required":["file","model"],"additionalProperties":false,"properties":{"file":{"type":"string","contentMediaType":"audio/*"},"model":{"type":"string","minLength":1},"language":{"if":{"type":"null"},"else":{"type":"string","maxLength":64}},"prompt":{"if":{"type":"null"},"else":{"type":"string"}},"hotwords":{"if":{"type":"null"},"else":{"type":"string"}},"response_format":{"if":{"type":"null"},"else":{"enum":["json","text","srt","verbose_json","vtt"]}},"timestamp_granularities[]":{"if":{"type":"null"},"else":{"type":"array","maxItems":2,"items":{"enum":["word","segment"]}}},"stream":{"if":{"type":"null"},"else":{"type":"boolean"}},"stream_include_usage":{"if":{"type":"null"},"else":{"type":"boolean"}},"stream_continuous_usage_stats":{"if":{"type":"null"},"else":{"type":"boolean"}},"temperature":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":2}},"top_p":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":1}},"top_k":{"if":{"type":"null"},"else":{"type":"integer","minimum":-1,"maximum":2147483647}},"min_p":{"if":{"type":"null"},"else":{"type":"number","minimum":0,"maximum":1}},"seed":{"if":{"type":"null"},"else":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"frequency_penalty":{"if":{"type":"null"},"else":{"type":"number","minimum":-2,"maximum":2}},"presence_penalty":{"if":{"type":"null"},"else":{"type":"number","minimum":-2,"maximum":2}},"repetition_penalty":{"if":{"type":"null"},"else":{"type":"number","exclusiveMinimum":0,"maximum":2}},"max_completion_tokens":{"if":{"type":"null"},"else":{"type":"integer","minimum":1,"maximum":2147483647}}}};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="gateway:/bodies/transcriptions.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate44.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.file === undefined) && (missing0 = "file")) || ((data.model === undefined) && (missing0 = "model"))){
validate44.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func0.call(schema47.properties, key0))){
validate44.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.file !== undefined){
const _errs2 = errors;
if(typeof data.file !== "string"){
validate44.errors = [{instancePath:instancePath+"/file",schemaPath:"#/properties/file/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.model !== undefined){
let data1 = data.model;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
validate44.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate44.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.language !== undefined){
let data2 = data.language;
const _errs6 = errors;
const _errs7 = errors;
let valid1 = true;
const _errs8 = errors;
if(data2 !== null){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
if(!_valid0){
const _errs10 = errors;
if(errors === _errs10){
if(typeof data2 === "string"){
if(data2.length > 64){
validate44.errors = [{instancePath:instancePath+"/language",schemaPath:"#/properties/language/else/maxLength",keyword:"maxLength",params:{limit: 64}}];
return false;
}
}
else {
validate44.errors = [{instancePath:instancePath+"/language",schemaPath:"#/properties/language/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var _valid0 = _errs10 === errors;
valid1 = _valid0;
}
if(!valid1){
const err1 = {instancePath:instancePath+"/language",schemaPath:"#/properties/language/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompt !== undefined){
let data3 = data.prompt;
const _errs12 = errors;
const _errs13 = errors;
let valid2 = true;
const _errs14 = errors;
if(data3 !== null){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs14 === errors;
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
if(!_valid1){
const _errs16 = errors;
if(typeof data3 !== "string"){
validate44.errors = [{instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid1 = _errs16 === errors;
valid2 = _valid1;
}
if(!valid2){
const err3 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hotwords !== undefined){
let data4 = data.hotwords;
const _errs18 = errors;
const _errs19 = errors;
let valid3 = true;
const _errs20 = errors;
if(data4 !== null){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs20 === errors;
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
if(!_valid2){
const _errs22 = errors;
if(typeof data4 !== "string"){
validate44.errors = [{instancePath:instancePath+"/hotwords",schemaPath:"#/properties/hotwords/else/type",keyword:"type",params:{type: "string"}}];
return false;
}
var _valid2 = _errs22 === errors;
valid3 = _valid2;
}
if(!valid3){
const err5 = {instancePath:instancePath+"/hotwords",schemaPath:"#/properties/hotwords/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.response_format !== undefined){
let data5 = data.response_format;
const _errs24 = errors;
const _errs25 = errors;
let valid4 = true;
const _errs26 = errors;
if(data5 !== null){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid3 = _errs26 === errors;
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
if(!_valid3){
const _errs28 = errors;
if(!(((((data5 === "json") || (data5 === "text")) || (data5 === "srt")) || (data5 === "verbose_json")) || (data5 === "vtt"))){
validate44.errors = [{instancePath:instancePath+"/response_format",schemaPath:"#/properties/response_format/else/enum",keyword:"enum",params:{allowedValues: schema47.properties.response_format.else.enum}}];
return false;
}
var _valid3 = _errs28 === errors;
valid4 = _valid3;
}
if(!valid4){
const err7 = {instancePath:instancePath+"/response_format",schemaPath:"#/properties/response_format/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data["timestamp_granularities[]"] !== undefined){
let data6 = data["timestamp_granularities[]"];
const _errs29 = errors;
const _errs30 = errors;
let valid5 = true;
const _errs31 = errors;
if(data6 !== null){
const err8 = {};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid4 = _errs31 === errors;
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
if(!_valid4){
const _errs33 = errors;
if(errors === _errs33){
if(Array.isArray(data6)){
if(data6.length > 2){
validate44.errors = [{instancePath:instancePath+"/timestamp_granularities[]",schemaPath:"#/properties/timestamp_granularities%5B%5D/else/maxItems",keyword:"maxItems",params:{limit: 2}}];
return false;
}
else {
var valid6 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
const _errs35 = errors;
if(!((data7 === "word") || (data7 === "segment"))){
validate44.errors = [{instancePath:instancePath+"/timestamp_granularities[]/" + i0,schemaPath:"#/properties/timestamp_granularities%5B%5D/else/items/enum",keyword:"enum",params:{allowedValues: schema47.properties["timestamp_granularities[]"].else.items.enum}}];
return false;
}
var valid6 = _errs35 === errors;
if(!valid6){
break;
}
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/timestamp_granularities[]",schemaPath:"#/properties/timestamp_granularities%5B%5D/else/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var _valid4 = _errs33 === errors;
valid5 = _valid4;
}
if(!valid5){
const err9 = {instancePath:instancePath+"/timestamp_granularities[]",schemaPath:"#/properties/timestamp_granularities%5B%5D/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream !== undefined){
let data8 = data.stream;
const _errs36 = errors;
const _errs37 = errors;
let valid7 = true;
const _errs38 = errors;
if(data8 !== null){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid5 = _errs38 === errors;
errors = _errs37;
if(vErrors !== null){
if(_errs37){
vErrors.length = _errs37;
}
else {
vErrors = null;
}
}
if(!_valid5){
const _errs40 = errors;
if(typeof data8 !== "boolean"){
validate44.errors = [{instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid5 = _errs40 === errors;
valid7 = _valid5;
}
if(!valid7){
const err11 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream_include_usage !== undefined){
let data9 = data.stream_include_usage;
const _errs42 = errors;
const _errs43 = errors;
let valid8 = true;
const _errs44 = errors;
if(data9 !== null){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid6 = _errs44 === errors;
errors = _errs43;
if(vErrors !== null){
if(_errs43){
vErrors.length = _errs43;
}
else {
vErrors = null;
}
}
if(!_valid6){
const _errs46 = errors;
if(typeof data9 !== "boolean"){
validate44.errors = [{instancePath:instancePath+"/stream_include_usage",schemaPath:"#/properties/stream_include_usage/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid6 = _errs46 === errors;
valid8 = _valid6;
}
if(!valid8){
const err13 = {instancePath:instancePath+"/stream_include_usage",schemaPath:"#/properties/stream_include_usage/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs42 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stream_continuous_usage_stats !== undefined){
let data10 = data.stream_continuous_usage_stats;
const _errs48 = errors;
const _errs49 = errors;
let valid9 = true;
const _errs50 = errors;
if(data10 !== null){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid7 = _errs50 === errors;
errors = _errs49;
if(vErrors !== null){
if(_errs49){
vErrors.length = _errs49;
}
else {
vErrors = null;
}
}
if(!_valid7){
const _errs52 = errors;
if(typeof data10 !== "boolean"){
validate44.errors = [{instancePath:instancePath+"/stream_continuous_usage_stats",schemaPath:"#/properties/stream_continuous_usage_stats/else/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var _valid7 = _errs52 === errors;
valid9 = _valid7;
}
if(!valid9){
const err15 = {instancePath:instancePath+"/stream_continuous_usage_stats",schemaPath:"#/properties/stream_continuous_usage_stats/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs48 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.temperature !== undefined){
let data11 = data.temperature;
const _errs54 = errors;
const _errs55 = errors;
let valid10 = true;
const _errs56 = errors;
if(data11 !== null){
const err16 = {};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid8 = _errs56 === errors;
errors = _errs55;
if(vErrors !== null){
if(_errs55){
vErrors.length = _errs55;
}
else {
vErrors = null;
}
}
if(!_valid8){
const _errs58 = errors;
if(errors === _errs58){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 2 || isNaN(data11)){
validate44.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data11 < 0 || isNaN(data11)){
validate44.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid8 = _errs58 === errors;
valid10 = _valid8;
}
if(!valid10){
const err17 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs54 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_p !== undefined){
let data12 = data.top_p;
const _errs60 = errors;
const _errs61 = errors;
let valid11 = true;
const _errs62 = errors;
if(data12 !== null){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid9 = _errs62 === errors;
errors = _errs61;
if(vErrors !== null){
if(_errs61){
vErrors.length = _errs61;
}
else {
vErrors = null;
}
}
if(!_valid9){
const _errs64 = errors;
if(errors === _errs64){
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 1 || isNaN(data12)){
validate44.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data12 <= 0 || isNaN(data12)){
validate44.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid9 = _errs64 === errors;
valid11 = _valid9;
}
if(!valid11){
const err19 = {instancePath:instancePath+"/top_p",schemaPath:"#/properties/top_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs60 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.top_k !== undefined){
let data13 = data.top_k;
const _errs66 = errors;
const _errs67 = errors;
let valid12 = true;
const _errs68 = errors;
if(data13 !== null){
const err20 = {};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
var _valid10 = _errs68 === errors;
errors = _errs67;
if(vErrors !== null){
if(_errs67){
vErrors.length = _errs67;
}
else {
vErrors = null;
}
}
if(!_valid10){
const _errs70 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate44.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs70){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 2147483647 || isNaN(data13)){
validate44.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data13 < -1 || isNaN(data13)){
validate44.errors = [{instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -1}}];
return false;
}
}
}
}
var _valid10 = _errs70 === errors;
valid12 = _valid10;
}
if(!valid12){
const err21 = {instancePath:instancePath+"/top_k",schemaPath:"#/properties/top_k/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs66 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min_p !== undefined){
let data14 = data.min_p;
const _errs72 = errors;
const _errs73 = errors;
let valid13 = true;
const _errs74 = errors;
if(data14 !== null){
const err22 = {};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
var _valid11 = _errs74 === errors;
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
if(!_valid11){
const _errs76 = errors;
if(errors === _errs76){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 1 || isNaN(data14)){
validate44.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}}];
return false;
}
else {
if(data14 < 0 || isNaN(data14)){
validate44.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid11 = _errs76 === errors;
valid13 = _valid11;
}
if(!valid13){
const err23 = {instancePath:instancePath+"/min_p",schemaPath:"#/properties/min_p/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs72 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seed !== undefined){
let data15 = data.seed;
const _errs78 = errors;
const _errs79 = errors;
let valid14 = true;
const _errs80 = errors;
if(data15 !== null){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var _valid12 = _errs80 === errors;
errors = _errs79;
if(vErrors !== null){
if(_errs79){
vErrors.length = _errs79;
}
else {
vErrors = null;
}
}
if(!_valid12){
const _errs82 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
validate44.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs82){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 9007199254740991 || isNaN(data15)){
validate44.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}}];
return false;
}
else {
if(data15 < -9007199254740991 || isNaN(data15)){
validate44.errors = [{instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991}}];
return false;
}
}
}
}
var _valid12 = _errs82 === errors;
valid14 = _valid12;
}
if(!valid14){
const err25 = {instancePath:instancePath+"/seed",schemaPath:"#/properties/seed/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs78 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.frequency_penalty !== undefined){
let data16 = data.frequency_penalty;
const _errs84 = errors;
const _errs85 = errors;
let valid15 = true;
const _errs86 = errors;
if(data16 !== null){
const err26 = {};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
var _valid13 = _errs86 === errors;
errors = _errs85;
if(vErrors !== null){
if(_errs85){
vErrors.length = _errs85;
}
else {
vErrors = null;
}
}
if(!_valid13){
const _errs88 = errors;
if(errors === _errs88){
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 2 || isNaN(data16)){
validate44.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data16 < -2 || isNaN(data16)){
validate44.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2}}];
return false;
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid13 = _errs88 === errors;
valid15 = _valid13;
}
if(!valid15){
const err27 = {instancePath:instancePath+"/frequency_penalty",schemaPath:"#/properties/frequency_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs84 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.presence_penalty !== undefined){
let data17 = data.presence_penalty;
const _errs90 = errors;
const _errs91 = errors;
let valid16 = true;
const _errs92 = errors;
if(data17 !== null){
const err28 = {};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
var _valid14 = _errs92 === errors;
errors = _errs91;
if(vErrors !== null){
if(_errs91){
vErrors.length = _errs91;
}
else {
vErrors = null;
}
}
if(!_valid14){
const _errs94 = errors;
if(errors === _errs94){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 2 || isNaN(data17)){
validate44.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data17 < -2 || isNaN(data17)){
validate44.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2}}];
return false;
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid14 = _errs94 === errors;
valid16 = _valid14;
}
if(!valid16){
const err29 = {instancePath:instancePath+"/presence_penalty",schemaPath:"#/properties/presence_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs90 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.repetition_penalty !== undefined){
let data18 = data.repetition_penalty;
const _errs96 = errors;
const _errs97 = errors;
let valid17 = true;
const _errs98 = errors;
if(data18 !== null){
const err30 = {};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
var _valid15 = _errs98 === errors;
errors = _errs97;
if(vErrors !== null){
if(_errs97){
vErrors.length = _errs97;
}
else {
vErrors = null;
}
}
if(!_valid15){
const _errs100 = errors;
if(errors === _errs100){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 2 || isNaN(data18)){
validate44.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2}}];
return false;
}
else {
if(data18 <= 0 || isNaN(data18)){
validate44.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}}];
return false;
}
}
}
else {
validate44.errors = [{instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/else/type",keyword:"type",params:{type: "number"}}];
return false;
}
}
var _valid15 = _errs100 === errors;
valid17 = _valid15;
}
if(!valid17){
const err31 = {instancePath:instancePath+"/repetition_penalty",schemaPath:"#/properties/repetition_penalty/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs96 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_completion_tokens !== undefined){
let data19 = data.max_completion_tokens;
const _errs102 = errors;
const _errs103 = errors;
let valid18 = true;
const _errs104 = errors;
if(data19 !== null){
const err32 = {};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
var _valid16 = _errs104 === errors;
errors = _errs103;
if(vErrors !== null){
if(_errs103){
vErrors.length = _errs103;
}
else {
vErrors = null;
}
}
if(!_valid16){
const _errs106 = errors;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
validate44.errors = [{instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/else/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs106){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 2147483647 || isNaN(data19)){
validate44.errors = [{instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/else/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}}];
return false;
}
else {
if(data19 < 1 || isNaN(data19)){
validate44.errors = [{instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/else/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var _valid16 = _errs106 === errors;
valid18 = _valid16;
}
if(!valid18){
const err33 = {instancePath:instancePath+"/max_completion_tokens",schemaPath:"#/properties/max_completion_tokens/if",keyword:"if",params:{failingKeyword: "else"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
validate44.errors = vErrors;
return false;
}
var valid0 = _errs102 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate44.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate44.errors = vErrors;
return errors === 0;
}
validate44.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const BODY_CHECKS: Readonly<Record<string, ValidateFunction>> = {
  'chat-completions': chat_completions,
  'classify': classify,
  'completions': completions,
  'count-tokens': count_tokens,
  'embeddings': embeddings,
  'file-upload': file_upload,
  'messages': messages,
  'rerank': rerank,
  'responses': responses,
  'score': score,
  'transcriptions': transcriptions,
}
