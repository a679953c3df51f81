/* Style and script of an HTML page, written into it whole. The colours are the chart's. */
#include "chart/html.h"

#include <stddef.h>

#include "chart/colours.h"

#define VARIABLES(paper, ink, mute, grid, axis, memory, compute, better, card)                                         \
    ":root{--paper:" paper ";--ink:" ink ";--mute:" mute ";--line:" grid ";--axis:" axis ";--memory:" memory           \
    ";--compute:" compute ";--better:" better ";--card:" card "}\n"

const char *const html_style[] = {
    VARIABLES(LIGHT_PAPER, LIGHT_INK, LIGHT_MUTE, LIGHT_GRID, LIGHT_AXIS, LIGHT_MEMORY, LIGHT_COMPUTE, LIGHT_BETTER,
              "#f5f7f9") CHART_STYLE_LIGHT,
    "@media screen and (prefers-color-scheme:dark){" VARIABLES(DARK_PAPER, DARK_INK, DARK_MUTE, DARK_GRID, DARK_AXIS,
                                                               DARK_MEMORY, DARK_COMPUTE, DARK_BETTER, "#18212a")
        CHART_STYLE_DARK "}\n",
    ":root{color-scheme:light dark}*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 " CHART_FONTS ";"
    "font-variant-numeric:tabular-nums;overflow-wrap:break-word}\n",
    "main,footer{max-width:1080px;margin:0 auto;padding:0 20px}main{padding-top:28px}\n",
    "h1{font-size:26px;line-height:1.25;font-weight:600;margin:0 0 6px;text-wrap:balance}\n",
    "h2{font-size:18px;line-height:1.3;font-weight:600;margin:44px 0 10px}h3{font-size:15px;margin:18px 0 6px}\n",
    "p{margin:0 0 8px;text-wrap:pretty}.quiet{color:var(--mute)}\n",
    "figure{position:relative;margin:18px 0 0}svg{display:block;width:100%;height:auto;font-family:" CHART_FONTS "}\n",
    "svg.narrow{display:none;max-width:600px;margin:0 auto}\n",
    "@media (min-width:1120px){svg.wide{width:1080px;margin:0 -20px}}\n",
    "@media (max-width:820px){svg.wide{display:none}svg.narrow{display:block}h1{font-size:21px}}\n",
    "[tabindex]{cursor:pointer;outline:none}\n",
    "[tabindex]:hover,[tabindex]:focus,[tabindex].hot{stroke:var(--ink);stroke-width:3.5px}\n",
    "#tip{position:absolute;z-index:1;pointer-events:none;max-width:320px;padding:10px "
    "14px;background:var(--paper);border:1px solid "
    "var(--axis);border-radius:8px;box-shadow:0 6px 24px rgba(10,20,30,.18);font-size:13.5px}\n",
    "#tip b{display:block;margin-bottom:4px;font-size:14.5px}\n",
    "#tip dl{display:grid;grid-template-columns:auto 1fr;gap:1px 14px;margin:0}#tip dt{color:var(--mute)}"
    "#tip dd{margin:0;text-align:right}\n",
    ".scroll{overflow-x:auto;outline-offset:2px}\n",
    "table{border-collapse:collapse;width:100%;font-size:14px}\n",
    "th,td{padding:7px 12px;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line)}\n",
    "th:first-child,td:first-child{padding-left:4px}thead th{border-bottom:1px solid var(--axis);color:var(--mute);"
    "font-weight:400;font-size:13px;vertical-align:bottom;white-space:nowrap}\n",
    "tbody th{font-weight:600}td,tbody th{white-space:nowrap}td.words,tbody "
    "th.words{white-space:normal;min-width:230px;"
    "overflow-wrap:anywhere}td.brief{white-space:normal;min-width:120px}.number{text-align:right;white-space:nowrap}\n",
    "tbody tr:hover,tbody tr.hot{background:var(--card)}\n",
    "th button{all:unset;cursor:pointer;color:inherit}th button:hover{color:var(--ink)}"
    "th button:focus-visible,.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--memory)}\n",
    "th[aria-sort]{color:var(--ink)}th[aria-sort=ascending] button::after{content:' \\2191'}"
    "th[aria-sort=descending] button::after{content:' \\2193'}\n",
    ".mark{display:inline-block;width:9px;height:9px;margin-right:9px;border:2px solid var(--mute);border-radius:50%;"
    "background:var(--mute)}.mark.m{border-color:var(--memory);background:var(--memory)}"
    ".mark.c{border-color:var(--compute);background:var(--compute)}.mark.g{border-color:var(--better)}\n",
    ".mark.diamond{border-radius:0;transform:rotate(45deg)}.mark.hollow{background:var(--paper)}\n",
    ".memory{color:var(--memory)}.compute{color:var(--compute)}\n",
    ".notes{margin:20px 0 0;padding:10px 16px;background:var(--card);border-left:3px solid var(--axis);"
    "border-radius:0 6px 6px 0;list-style:none}.notes li+li{margin-top:4px}\n",
    ".ideas{margin:0;padding:0;list-style:none}.ideas li{display:grid;grid-template-columns:64px 1fr;gap:0 16px;"
    "padding:6px 4px;border-bottom:1px solid var(--line);align-items:baseline}\n"
    ".ideas span{grid-column:2;color:var(--mute);font-size:13.5px}\n"
    "@media (min-width:821px){.ideas li{grid-template-columns:64px 330px 1fr}.ideas span{grid-column:3}}\n"
    ".factor{text-align:right;font-weight:600;white-space:nowrap}.helps .factor{color:var(--better)}"
    ".waste .factor,.worse .factor{color:var(--mute);font-weight:400}"
    ".tag{font-size:12.5px;color:var(--mute);margin-left:8px;white-space:nowrap}\n",
    "summary{cursor:pointer}main>details{margin-top:20px;border-top:1px solid var(--line);padding-top:12px}"
    "main>details>summary{font-weight:600}main>details>div,main>details>pre{margin-top:10px}\n",
    "pre,code{font:13px/1.45 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    "pre{margin:0;overflow-x:auto}\n",
    "footer{margin-top:44px;padding-top:14px;padding-bottom:36px;color:var(--mute);font-size:13px}"
    "footer code{display:block;margin-bottom:6px;padding:8px 12px;background:var(--card);border-radius:6px;"
    "color:var(--ink);overflow-wrap:anywhere}\n",
    "@media print{body{font-size:11px}main,footer{max-width:none;padding:0}#tip{display:none}"
    "svg.wide{display:block}svg.narrow{display:none}.scroll{overflow:visible}tr,figure,li{break-inside:avoid}"
    "details::details-content{content-visibility:visible;height:auto}}\n",
    "@media (prefers-reduced-motion:no-preference){[tabindex]{transition:stroke-width .12s}}\n",
    NULL};

/* A pointer over a mark or the keyboard's focus on it shows its row of the table beside it. Arrows walk from mark to
 * mark, Escape closes. Heads of tables become buttons that sort. */
const char *const html_script[] = {
    "(function(){'use strict';\n",
    "var d=document,tip=d.getElementById('tip'),figure=d.querySelector('figure'),hot=[];\n",
    "function each(list,f){Array.prototype.forEach.call(list,f)}\n",
    "function all(q,from){return (from||d).querySelectorAll(q)}\n",
    "function cool(){hot.forEach(function(e){e.classList.remove('hot')});hot=[];tip.hidden=true}\n",
    "function add(tag,text,to){var e=d.createElement(tag);e.textContent=text;to.appendChild(e)}\n",
    "function heat(list){cool();each(list,function(e){e.classList.add('hot');hot.push(e)})}\n",
    "function fill(row){var heads=all('thead "
    "th',row.closest('table')),list=d.createElement('dl');tip.textContent='';\n",
    "add('b',row.cells[0].textContent,tip);each(row.cells,function(c,i){if(!i||!c.textContent)return;\n",
    "add('dt',heads[i].textContent,list);add('dd',c.textContent,list)});tip.appendChild(list)}\n",
    "function show(mark){var row=d.getElementById(mark.getAttribute('data-row'));heat([mark,row]);fill(row);\n",
    "tip.hidden=false;var box=figure.getBoundingClientRect(),at=mark.getBoundingClientRect(),w=tip.offsetWidth,\n",
    "h=tip.offsetHeight,x=at.right-box.left+12,y=at.top-box.top+at.height/2-h/2;\n",
    "if(x+w>box.width)x=at.left-box.left-w-12;\n",
    "if(x<0){x=Math.max(0,Math.min(box.width-w,at.left-box.left+at.width/2-w/2));y=at.bottom-box.top+12}\n",
    "tip.style.left=x+'px';tip.style.top=Math.max(0,y)+'px'}\n",
    "each(all('svg'),function(svg){var marks=Array.prototype.slice.call(all('[data-row]',svg));\n",
    "marks.sort(function(a,b){return a.getBBox().x-b.getBBox().x});\n",
    "marks.forEach(function(m,i){var t=m.querySelector('title');m.setAttribute('aria-label',t.textContent);"
    "m.removeChild(t);\n",
    "m.addEventListener('mouseenter',function(){show(m)});m.addEventListener('focus',function(){show(m)});\n",
    "m.addEventListener('mouseleave',function(){if(d.activeElement!==m)cool()});m.addEventListener('blur',cool);\n",
    "m.addEventListener('keydown',function(e){var step={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];\n",
    "if(!step)return;e.preventDefault();marks[(i+step+marks.length)%marks.length].focus()});\n",
    "var row=d.getElementById(m.getAttribute('data-row'));\n",
    "row.addEventListener('mouseenter',function(){heat(all('[data-row=\"'+row.id+'\"]'))});\n",
    "row.addEventListener('mouseleave',cool)})});\n",
    "d.addEventListener('keydown',function(e){if(e.key==='Escape')cool()});\n",
    "function key(row,i){var c=row.cells[i],k=c.getAttribute('data-sort');"
    "return k===null?c.textContent:k===''?NaN:+k}\n",
    "function compare(a,b,up){if(typeof a==='string')return up*(a<b?-1:a>b?1:0);\n",
    "if(isNaN(a)||isNaN(b))return isNaN(a)-isNaN(b);return up*(a<b?-1:a>b?1:0)}\n",
    "each(all('table'),function(table){var heads=all('thead th',table);each(heads,function(th,i){\n",
    "var b=d.createElement('button');b.type='button';while(th.firstChild)b.appendChild(th.firstChild);"
    "th.appendChild(b);\n",
    "b.addEventListener('click',function(){var now=th.getAttribute('aria-sort'),first=th.className?-1:1,\n",
    "up=now?(now==='ascending'?-1:1):first,body=table.tBodies[0],rows=Array.prototype.slice.call(body.rows);\n",
    "each(heads,function(h){h.removeAttribute('aria-sort')});\n",
    "th.setAttribute('aria-sort',up>0?'ascending':'descending');\n",
    "rows.map(function(r,n){return{r:r,n:n,k:key(r,i)}}).sort(function(a,b){return compare(a.k,b.k,up)||a.n-b.n})\n",
    ".forEach(function(o){body.appendChild(o.r)})})})})})();\n",
    NULL};

const char html_script_hash[] = "u9dfjF7862vr+g9fV/4/AFnMqYLaaOVt9RbuDcAiRYo=";
